import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'

type Json = Record<string, unknown>
export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: Json }> } | { $ref: string }>
}
export interface OpenApi {
  openapi: string
  info: { description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; responses: Record<string, Operation['responses'][string]> }
}
export interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}
/** What the document says of one call. */
export interface Call {
  /** «GET /evidence/{id}/download», as `restRoutes` writes it. */
  call: string
  method: string
  path: string
  operation: Operation
  statuses: number[]
}

export async function documentOf(app: FastifyInstance): Promise<OpenApi> {
  return (await app.inject({ method: 'GET', url: '/api/v1/openapi.json' })).json()
}

export function callsOf({ paths }: OpenApi): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path.replace(/\{(?!email|status)\w+\}/g, '{id}')}`,
      method: method.toUpperCase(),
      path,
      operation,
      statuses: Object.keys(operation.responses).map(Number),
    })),
  )
}

/** Checks responses against the document itself: status, content type and every field of the body. */
export async function createOpenApiChecker(app: FastifyInstance) {
  const document = await documentOf(app)
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(withoutAdditionalProperties(document) as Json, 'document')
  const calls = new Map(callsOf(document).map((one) => [one.call, one]))
  const compiled = new Map<string, ValidateFunction>()

  function validatorFor(pointer: string) {
    const known = compiled.get(pointer)
    if (known) return known
    const made = ajv.compile({ $ref: `document#${pointer}` })
    compiled.set(pointer, made)
    return made
  }

  return {
    document,
    calls: [...calls.values()],
    /** Throws when the document does not describe the response. */
    check(call: string, answer: Answer) {
      const one = calls.get(call)
      if (!one) throw new Error(`${call} is not in the document`)
      const { statusCode, headers, body } = answer
      const response = one.operation.responses[statusCode]
      if (!response) throw new Error(`${call} answers ${statusCode}, which the document does not mention`)
      const place = '$ref' in response ? response.$ref.slice(1) : pointerTo(one, statusCode)
      const whole =
        '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response
      const content = (whole as { content?: Record<string, unknown> } | undefined)?.content
      const fullType = String(headers['content-type'] ?? '')
      const type = fullType.split(';')[0] ?? ''
      if (one.method === 'HEAD' || !content) {
        if (body !== '')
          throw new Error(`${call} ${statusCode} has a body that the document does not mention`)
        return
      }
      if (![type, fullType, 'application/octet-stream'].some((one) => one in content))
        throw new Error(`${call} ${statusCode} is ${type}, not ${Object.keys(content)}`)
      if (type !== 'application/json') return
      const validate = validatorFor(`${place}/content/application~1json/schema`)
      if (!validate(JSON.parse(body)))
        throw new Error(`${call} ${statusCode} is not as described: ${ajv.errorsText(validate.errors)}`)
    },
    /** Whether the document allows this request body. */
    allows(call: string, type: string, body: unknown) {
      const one = calls.get(call)
      if (!one) throw new Error(`${call} is not in the document`)
      const place = `/paths/${escaped(one.path)}/${one.method.toLowerCase()}/requestBody/content/${escaped(type)}/schema`
      return validatorFor(place)(body)
    },
  }
}

const escaped = (step: string) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
const pointerTo = ({ path, method }: Call, status: number) =>
  `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`

/**
 * The document allows additional properties in responses; the test must not, so that each field is
 * documented.
 */
function withoutAdditionalProperties(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAdditionalProperties)
  if (node === null || typeof node !== 'object') return node
  const whole = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutAdditionalProperties(value)]),
  )
  const isObject = whole.type === 'object' && typeof whole.properties === 'object'
  return isObject && !('additionalProperties' in whole) ? { ...whole, additionalProperties: false } : whole
}
