import { createHash, randomBytes } from 'node:crypto'
import type { SessionView } from '@garantia/shared/auth/schema'
import {
  CONFIRMED_MINUTES,
  type FactorRole,
  needsSecondFactor,
  type SessionMethod,
} from '@garantia/shared/auth/second-factor'
import type { Person } from '@garantia/shared/policy'
import { sql } from 'kysely'
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia'
import { PERSON_COLUMNS, personFrom } from './person.ts'
import { prepared } from './prepared.ts'
import type { Db } from './strict-writes.ts'

/** Sliding expiry: a session used in the second half of its life is extended to seven days (D-36). */
const LIFETIME = new TimeSpan(7, 'd')
/** However often it is used, a session ends after this long: a stolen one must not live for ever. */
const LONGEST = sql`interval '30 days'`
/** Of a person; the oldest end when there are more. */
const MOST_LIVE = 50
const TOKEN_BYTES = 32

interface UserAttributes {
  person: Person
}
interface SessionOrigin {
  ip: string | null
  user_agent: string | null
}
interface SessionAttributes extends SessionOrigin {
  method: SessionMethod
  confirmed_at?: Date
}
declare module 'lucia' {
  interface Register {
    Lucia: Lucia<SessionAttributes, UserAttributes>
    UserId: number
    DatabaseUserAttributes: UserAttributes
    DatabaseSessionAttributes: SessionAttributes
  }
}

/** Sessions with bearer tokens of 256 random bits; the database stores only their SHA-256. */
export interface Sessions {
  /**
   * Opens a session and returns its token, which is not stored; the oldest end when the person has too many.
   * `confirmed_at`: when the person proved who they are, if that was not now.
   */
  open(user_id: number, from: SessionOrigin, method?: SessionMethod, confirmed_at?: Date): Promise<string>
  /**
   * The active person of a token; null when it is unknown, expired or revoked. Extends the session (LIFETIME),
   * up to thirty days, unless nobody uses it: a page that only asks again must not keep itself signed in.
   */
  personOf(token: string, isUsed?: boolean): Promise<Person | null>
  /** Notes that the person of this session has just proved who they are, with more than a password if given. */
  confirm(token: string, method?: SessionMethod): Promise<void>
  /** Ends the session of this token. */
  close(token: string): Promise<void>
  /** Ends every session of a person. */
  closeAllOf(user_id: number): Promise<void>
  /** Ends every session of a person except the one of this token. */
  closeOthersOf(user_id: number, token: string): Promise<void>
  /**
   * Ends one session by the id shown in the list, which is the hash, since the token of another session is
   * unknown. False when the person has no such session.
   */
  closeOne(user_id: number, id: string): Promise<boolean>
  /** The unexpired sessions of a person, newest first; the one of `token` is marked as current. */
  listOf(user_id: number, token: string): Promise<SessionView[]>
  /** Deletes expired sessions. */
  sweep(): Promise<void>
}

/** Sessions kept in the table `sessions`, through Lucia. `required`: who needs more than a password. */
export function openSessions(db: Db, required: readonly FactorRole[] = []): Sessions {
  const sessionsIn = adapter(db, required)
  const lucia = new Lucia<SessionAttributes, UserAttributes>(sessionsIn, {
    sessionExpiresIn: LIFETIME,
    getSessionAttributes: ({ ip, user_agent, method }) => ({ ip, user_agent, method }),
    getUserAttributes: ({ person }) => ({ person }),
  })
  return {
    async open(user_id, from, method = 'password', confirmed_at) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const attributes = { ...from, method, ...(confirmed_at && { confirmed_at }) }
      await lucia.createSession(user_id, attributes, { sessionId: token })
      await closeOldest(db, user_id)
      return token
    },
    async personOf(token, isUsed = true) {
      if (isUsed) return (await lucia.validateSession(token)).user?.person ?? null
      const [session, user] = await sessionsIn.getSessionAndUser(token)
      return user && session && session.expiresAt > new Date() ? user.attributes.person : null
    },
    async confirm(token, method) {
      await db
        .updateTable('sessions')
        .set({ confirmed_at: sql`now()`, ...(method && { method }) })
        .where('id', '=', hashOf(token))
        .execute()
    },
    close: (token) => lucia.invalidateSession(token),
    closeAllOf: (user_id) => lucia.invalidateUserSessions(user_id),
    async closeOthersOf(user_id, token) {
      await db
        .deleteFrom('sessions')
        .where('user_id', '=', user_id)
        .where('id', '<>', hashOf(token))
        .execute()
    },
    async closeOne(user_id, id) {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('user_id', '=', user_id)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async listOf(user_id, token) {
      const rows = await db
        .selectFrom('sessions')
        .where('user_id', '=', user_id)
        .where('expires_at', '>', new Date())
        .selectAll()
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map(({ id, created_at, expires_at, ip, user_agent, method }) => ({
        id,
        created_at: created_at.toISOString(),
        expires_at: expires_at.toISOString(),
        ip,
        user_agent,
        method,
        is_current: id === hashOf(token),
      }))
    },
    sweep: () => lucia.deleteExpiredSessions(),
  }
}

const closeOldest = (db: Db, user_id: number) =>
  db
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .where('user_id', '=', user_id)
        .orderBy('created_at', 'desc')
        .orderBy('expires_at', 'desc')
        .offset(MOST_LIVE)
        .select('id'),
    )
    .execute()

const isOld = sql<boolean>`sessions.confirmed_at < now() - make_interval(mins => ${CONFIRMED_MINUTES}::int)`
const hasPasskey = sql<boolean>`
  sessions.method = 'password' and exists (select from passkeys where passkeys.user_id = users.id)`

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const sessionsOf = prepared((db, { id }: { id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.id', '=', id)
    .where('users.is_active', '=', true)
    .select([
      ...(['sessions.expires_at', 'sessions.ip', 'sessions.user_agent', 'sessions.method'] as const),
      isOld.as('must_confirm'),
      hasPasskey.as('has_passkey'),
      ...PERSON_COLUMNS,
    ]),
)

/** Lucia's session id is our token; this adapter passes only its hash to the database. */
const adapter = (db: Db, required: readonly FactorRole[]): Adapter => ({
  async getSessionAndUser(token) {
    const [row] = await sessionsOf(db, { id: hashOf(token) })
    if (!row) return [null, null]
    const { expires_at, ip, user_agent, method, must_confirm, has_passkey, ...own } = row
    const person = personFrom(own, {
      ...(must_confirm && { must_confirm }),
      ...(needsSecondFactor(row, method, required) && {
        must_add_factor: true,
        ...(has_passkey && { has_passkey: true }),
      }),
    })
    return [
      { id: token, userId: row.id, expiresAt: expires_at, attributes: { ip, user_agent, method } },
      { id: row.id, attributes: { person } },
    ]
  },
  async getUserSessions(user_id) {
    const rows = await db.selectFrom('sessions').where('user_id', '=', user_id).selectAll().execute()
    return rows.map(
      ({ id, ip, user_agent, method, expires_at }): DatabaseSession => ({
        id,
        userId: user_id,
        expiresAt: expires_at,
        attributes: { ip, user_agent, method },
      }),
    )
  },
  async setSession({ id, userId, expiresAt, attributes }) {
    await db
      .insertInto('sessions')
      .values({ id: hashOf(id), user_id: userId, expires_at: expiresAt, ...attributes })
      .execute()
  },
  async updateSessionExpiration(token, expires_at) {
    await db
      .updateTable('sessions')
      .set({ expires_at: sql`least(${expires_at}::timestamptz, created_at + ${LONGEST})` })
      .where('id', '=', hashOf(token))
      .execute()
  },
  async deleteSession(token) {
    await db.deleteFrom('sessions').where('id', '=', hashOf(token)).execute()
  },
  async deleteUserSessions(user_id) {
    await db.deleteFrom('sessions').where('user_id', '=', user_id).execute()
  },
  async deleteExpiredSessions() {
    await db.deleteFrom('sessions').where('expires_at', '<=', new Date()).execute()
  },
})
