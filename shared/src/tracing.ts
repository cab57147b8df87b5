import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracer = trace.getTracer('garantia')
/** W3C Trace Context; absent when nothing is being traced. */
export interface TraceCarrier {
  traceparent?: string | undefined
}
/** What another process needs to go on with the current trace. */
export function carrierOfTrace(): TraceCarrier {
  const carrier: TraceCarrier = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent }
}

/** Begins a span of a request; `run` does what belongs to it. */
export function beginRequest(carrier: object, attributes: Attributes, run: () => void): Span {
  const parent = propagation.extract(context.active(), carrier)
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER, attributes }, parent)
  context.with(trace.setSpan(parent, span), run)
  return span
}

/** Does work as a span of the trace that it was asked for in, or else of one of its own. */
export const inSpanOf = <T>(
  carrier: TraceCarrier,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
) =>
  context.with(propagation.extract(context.active(), carrier), () =>
    inSpan(name, attributes, work, SpanKind.CONSUMER),
  )

/** Does work as a span of the current trace; a failure is noted in it and thrown. Without tracing only the work is done. */
export const inSpan = <T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  kind = SpanKind.INTERNAL,
): Promise<T> =>
  tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      // Its message may repeat what a person has typed.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' })
      throw error
    } finally {
      span.end()
    }
  })

/** Of the current trace, for a line of the log. */
export const traceId = () => trace.getActiveSpan()?.spanContext().traceId
