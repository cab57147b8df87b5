import { initTRPC, TRPCError } from '@trpc/server'
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify'
import Fastify, { type FastifyRequest, type InjectOptions } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { serveProcedures } from '../../server/src/http/trpc-calls.ts'

const MOST = 3
const t = initTRPC.context<{ who: string }>().create({ isDev: false })
const router = t.router({
  things: {
    one: t.procedure
      .input(z.object({ id: z.number() }))
      .query(({ input, ctx }) => ({ ...input, ...ctx, at: new Date(0), none: undefined })),
    many: t.procedure.query(() => [1, 2]),
    nothing: t.procedure.query(() => undefined),
    missing: t.procedure.query(() => {
      throw new TRPCError({ code: 'NOT_FOUND', message: 'não há' })
    }),
    broken: t.procedure.query(() => {
      throw new Error('boom')
    }),
    change: t.procedure.input(z.object({ id: z.number() }).optional()).mutation(({ input }) => input ?? null),
    remove: t.procedure.mutation(() => 'ok'),
  },
})
async function contextOf({ headers }: FastifyRequest) {
  if (headers.authorization === 'broken') throw new Error('no database')
  return { who: headers.authorization ?? 'nobody' }
}

const failures = { ours: [] as unknown[], theirs: [] as unknown[] }
const ours = Fastify()
await ours.register(async (app) => {
  serveProcedures(app, {
    ...{ router, most_in_batch: MOST, contextOf },
    onFailure: (error, path) => void failures.ours.push([error.code, path]),
  })
})
const theirs = Fastify()
await theirs.register(fastifyTRPCPlugin, {
  trpcOptions: {
    ...{ router, maxBatchSize: MOST },
    createContext: ({ req }: { req: FastifyRequest }) => contextOf(req),
    onError: ({ error, path }: { error: TRPCError; path: string | undefined }) =>
      void failures.theirs.push([error.code, path]),
  },
})
afterAll(() => Promise.all([ours.close(), theirs.close()]))

const given = (input: unknown) => `input=${encodeURIComponent(JSON.stringify(input))}`
const post = (url: string, payload: string, type = 'application/json'): InjectOptions => ({
  ...{ method: 'POST', url, payload },
  headers: { 'content-type': type },
})
const CALLS: Record<string, InjectOptions> = {
  'a query': { url: `/things.one?${given({ id: 1 })}` },
  'a query of somebody': { url: `/things.one?${given({ id: 1 })}`, headers: { authorization: 'Ana' } },
  'a list': { url: '/things.many' },
  'no value': { url: '/things.nothing' },
  'null as input': { url: '/things.many?input=null' },
  'an empty input': { url: '/things.one?input=' },
  'the first of two inputs': { url: `/things.one?${given({ id: 1 })}&${given({ id: 2 })}` },
  'a wrong input': { url: `/things.one?${given({ id: 'x' })}` },
  'no input': { url: '/things.one' },
  'an input that is not JSON': { url: '/things.one?input=%7Bbad' },
  'a refusal': { url: '/things.missing' },
  'an unexpected error': { url: '/things.broken' },
  'no context': { url: '/things.many', headers: { authorization: 'broken' } },
  'no context for a batch': { url: '/things.many,things.nada?batch=1', headers: { authorization: 'broken' } },
  'an unknown procedure': { url: '/things.nada' },
  'the name of a router': { url: '/things' },
  'a name of every object': { url: '/constructor' },
  'the prototype': { url: '/__proto__' },
  'a batch that is only in the path': { url: '/things.many&batch=1' },
  'a batch': { url: `/things.one,things.many?batch=1&${given({ 0: { id: 1 } })}` },
  'a batch of one': { url: `/things.one?batch=1&${given({ 0: { id: 1 } })}` },
  'a batch with refusals': {
    url: `/things.one,things.missing,things.nada?batch=1&${given({ 0: { id: 1 } })}`,
  },
  'a batch of refusals alike': { url: '/things.missing,things.nada?batch=1' },
  'too large a batch': {
    url: `/${Array(MOST + 1)
      .fill('things.many')
      .join(',')}?batch=1`,
  },
  'a batch whose input is a list': { url: `/things.one?batch=1&${given([{ id: 1 }])}` },
  'a batch whose input is not JSON': { url: '/things.one,things.many?batch=1&input=%7Bbad' },
  'a batch of both types': { url: '/things.many,things.change?batch=1' },
  'a batch with an empty name': { url: '/things.many,?batch=1' },
  'several names without a batch': { url: '/things.many,things.many' },
  'another word for a batch': { url: '/things.many?batch=true' },
  'a mutation': post('/things.change', '{"id":1}'),
  'a mutation without its input': post('/things.change', ''),
  'a mutation with null': post('/things.remove', 'null'),
  'a mutation with a wrong input': post('/things.change', '{"id":"x"}'),
  'a mutation whose body is not JSON': post('/things.change', '{bad'),
  'a mutation with a character set': post('/things.change', '{"id":1}', 'application/json; charset=utf-8'),
  'mutations in a batch': post('/things.change,things.remove?batch=1', '{"0":{"id":1}}'),
  'a POST without a type': { method: 'POST', url: '/things.remove' },
  'a mutation by GET': { url: `/things.change?${given({ id: 1 })}` },
  'a query by POST': post('/things.many', '{}'),
  'a query by PUT': { method: 'PUT', url: '/things.many', headers: { 'content-type': 'application/json' } },
  'a query by DELETE': { method: 'DELETE', url: '/things.many' },
  'a question for the headers': { method: 'HEAD', url: '/things.many' },
}

test.each(Object.entries(CALLS))("%s is answered as by tRPC's own adapter", async (_, call) => {
  const [our, their] = [await ours.inject(call), await theirs.inject(call)]
  const shown = ({ statusCode, headers, body }: typeof our) => ({
    statusCode,
    // Theirs calls the JSON with which it refuses a whole request a text.
    type: headers['content-type']?.replace('text/plain;charset=UTF-8', 'application/json'),
    vary: headers.vary,
    body,
  })
  expect(shown(our)).toEqual(shown(their))
  expect(failures.ours).toEqual(failures.theirs)
})
