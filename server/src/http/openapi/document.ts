import type { ErrorCode } from '@garantia/shared/errors'
import { z } from 'zod'
import { type Endpoint, toArray, unwrapSchema } from '../rest.ts'
import { refusalResponses, refusalSchemas, refusalsOf } from './refusals.ts'
import { createSchemaRegistry, type JsonSchema, type SchemaRegistry } from './schemas.ts'

const BASE = '/api/v1'
const OTHER = 'Outros'

/** The OpenAPI 3.1 document, generated from the same endpoints that are served. */
export function openApiOf(endpoints: readonly Endpoint[]) {
  const registry = createSchemaRegistry()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of endpoints)
    for (const path of toArray(row.path))
      for (const method of toArray(row.method)) {
        paths[path] ??= {}
        paths[path][method.toLowerCase()] = operation(registry, row, method, path)
      }
  const tags = [...new Set(endpoints.map(({ tag }) => tag ?? OTHER))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Garantia',
      version: '1.0.0',
      description: INTRODUCTION,
      license: { name: 'Uso interno', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: BASE, description: 'Este servidor' }],
    tags: tags.map((name) => ({ name, description: TAG_WORDS[name] ?? name })),
    security: [{ bearer: [] }, { password: [] }],
    paths,
    components: {
      schemas: { ...refusalSchemas, ...registry.components },
      responses: refusalResponses,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Um token de API (Configurações › Tokens de API) ou o `access_token` de um login.',
        },
        password: {
          type: 'oauth2',
          description: 'Email (ou nome de usuário) e senha.',
          flows: { password: { tokenUrl: `${BASE}/login/access-token`, scopes: {} } },
        },
      },
    },
  }
}

const INTRODUCTION = [
  'O trabalho das telas, para integrações. Só as telas têm vistas salvas, caixa de saída, auditoria, sessões, retenção judicial, uso do armazenamento, criação de links para fotos, diagnóstico e fila, webhooks, e novidades ao vivo.',
  '',
  '- Autentique com `Authorization: Bearer <token>`.',
  '- Toda recusa traz `detail`: uma frase, ou a lista dos campos errados (422).',
  '- Toda resposta traz `x-request-id`; um `x-request-id` enviado (8 a 64 letras, números, `.`, `_` ou `-`) é mantido.',
  '- Os endereços respondem com e sem a barra final. `PUT` e `PATCH` mudam só os campos enviados; `null` apaga.',
  '- Corpos em JSON têm até 1 MB e não são aceitos comprimidos.',
].join('\n')

const TAG_WORDS: Record<string, string> = {
  Sistema: 'Se o servidor responde, e este documento.',
  Acesso: 'Entrar, cadastrar-se e recuperar a senha.',
  'Minha conta': 'Os dados e a senha de quem chama.',
  'Tokens de API':
    'Tokens pessoais para integrações. Só podem ser geridos com um login, não com outro token.',
  Usuários: 'Pessoas, funções e a quem respondem.',
  Empresas: 'Matrizes e filiais.',
  Marcas: 'Marcas e suas regras de evidência.',
  'Ordens de serviço': 'Abrir, listar, exportar, mudar e acompanhar ordens de serviço.',
  Painel: 'Os números das ordens que quem chama pode ver.',
  Evidências: 'Arquivos de uma ordem: enviar, listar, baixar.',
  'Links para fotos':
    'O que quem não tem conta faz por um link: `Authorization: Guest <parte depois de #>`. Os links são criados nas telas.',
  Dossiês: 'Versões seladas das evidências de uma ordem: gerar, listar, baixar.',
  Conversão: 'Conversão das evidências para os limites da marca.',
}

function operation(registry: SchemaRegistry, row: Endpoint, method: string, path: string) {
  const { params, query, headers, body, files, piece, summary, tag, public: isPublic } = row
  const requestBody = bodyOf(registry, row)
  const parameters = [
    ...parametersOf(registry, 'path', params),
    ...parametersOf(registry, 'query', query),
    ...parametersOf(registry, 'header', headers),
  ]
  return {
    operationId: nameOf(method, path),
    tags: [tag ?? OTHER],
    summary: summary ?? `${method} ${path}`,
    ...(isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...answersOf(registry, row), ...refusalsOf(codesOf(row), Boolean(body || files || piece)) },
  }
}

/** «GET /service-orders/{id}» is `getServiceOrdersById`. */
const nameOf = (method: string, path: string) =>
  [method.toLowerCase(), ...path.split(/[/._-]/).filter(Boolean)]
    .map((word) =>
      word.replace(/^\{(\w)(\w*)\}?$/, (_, first: string, rest: string) => `By${first.toUpperCase()}${rest}`),
    )
    .map((word) => word.replace(/\W/g, ''))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')

function codesOf({ params, query, body, files, piece, public: isPublic, errors }: Endpoint) {
  const codes = new Set<ErrorCode>(['unavailable', ...(errors ?? [])])
  if (!isPublic) codes.add('unauthenticated')
  if (params || query || body || files) codes.add('invalid')
  if (
    Object.values(params?.shape ?? {}).some(
      (field) => unwrapSchema(field as z.ZodType) instanceof z.ZodNumber,
    )
  )
    codes.add('not_found')
  if (body || files || piece) for (const code of ['too_large', 'unsupported'] as const) codes.add(code)
  if (files) codes.add('rule')
  if (files === 'many') for (const code of ['conflict', 'storage_full'] as const) codes.add(code)
  return codes
}

const EXAMPLES: Record<string, unknown> = { id: 1, order_id: 1, n: 1, skip: 0, email: 'ana@exemplo.com.br' }

function parametersOf(
  registry: SchemaRegistry,
  where: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
) {
  if (!schema) return []
  const { properties = {}, required = [] } = registry.propertiesOf(schema)
  return Object.entries(properties).map(([name, { description, ...one }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: one,
    ...(name in EXAMPLES && one.format !== 'uuid' && { example: EXAMPLES[name] }),
  }))
}

const FILE: JsonSchema = { type: 'string', contentMediaType: 'application/octet-stream' }

function bodyOf(registry: SchemaRegistry, { body, form, example, files, piece, query }: Endpoint) {
  if (piece)
    return {
      required: piece === 'required',
      content: { 'application/offset+octet-stream': { schema: FILE } },
    }
  if (files === 'one') {
    const schema = { type: 'object', required: ['file'], properties: { file: FILE } }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (files) {
    const { properties = {} } = query ? registry.propertiesOf(query) : {}
    const schema = {
      type: 'object',
      required: ['files'],
      properties: { files: { type: 'array', minItems: 1, items: FILE }, ...properties },
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (!body) return undefined
  const content = { schema: registry.of(body, 'input'), ...(example !== undefined && { example }) }
  const isNeeded = !body.safeParse({}).success
  return {
    required: isNeeded,
    content: {
      ...(form && { 'application/x-www-form-urlencoded': content }),
      'application/json': content,
    },
  }
}

const ETAG = { ETag: { description: 'Envie em `If-None-Match`.', schema: { type: 'string' } } }
const REQUEST_ID = {
  'x-request-id': {
    description: 'O nome deste pedido nos registros do servidor.',
    schema: { type: 'string' },
  },
}

function answersOf(
  registry: SchemaRegistry,
  { reply, status = 200, media, empty, piece, ranges, hasEtag }: Endpoint,
) {
  const types = reply ? ['application/json'] : toArray(media ?? 'application/octet-stream')
  const content = Object.fromEntries(
    types.map((type) => [
      type,
      { schema: reply ? registry.of(reply, 'output') : type.startsWith('text/') ? { type: 'string' } : FILE },
    ]),
  )
  const headers = { ...REQUEST_ID, ...((hasEtag || ranges) && ETAG) }
  return {
    [status]: { description: status === 201 ? 'Criado.' : 'Feito.', headers, ...(!empty && { content }) },
    ...(piece === 'required' && { 204: { description: 'Recebido; falta o resto.', headers } }),
    ...(ranges && {
      206: { description: 'O trecho pedido em `Range`.', headers, content },
      416: {
        description: 'O trecho pedido não existe.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    }),
    ...((hasEtag || ranges) && {
      304: { description: 'Nada mudou desde o `ETag` enviado em `If-None-Match`.' },
    }),
  }
}
