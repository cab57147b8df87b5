import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from './config.ts'
import { INSTANCE, type Role } from './instance.ts'
import type { Logger } from './log.ts'
import { productVersion } from './product-version.ts'

/** Spans wait for others at most this long. */
const GATHERED_MS = 1_000

/**
 * Sends traces by OTLP over HTTP (JSON) to OTEL_EXPORTER_OTLP_ENDPOINT, with the headers and limits of the other
 * variables of OpenTelemetry's exporter. What a collector that is away does not take is lost; nothing waits for it.
 */
export function startTracing(config: Config, role: Role, log: Logger) {
  const tell = (message: string) => log.warn({ message }, 'rastros não enviados')
  diag.setLogger(
    { error: tell, warn: tell, info: tell, debug: tell, verbose: tell },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `garantia-${role}`,
      'service.namespace': 'garantia',
      'service.version': productVersion(),
      'service.instance.id': INSTANCE,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: GATHERED_MS }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  return {
    close: () => provider.shutdown().catch((err: unknown) => log.warn({ err }, 'rastros não enviados')),
  }
}
