import type { EventSubject } from '@garantia/migrations/schema'
import type { Db } from '@garantia/server/kernel'

/** What has happened to an order, a person, a company or a brand, oldest first. */
export const eventKinds = async (db: Db, subject: EventSubject, subject_id: number) =>
  (
    await db
      .selectFrom('events')
      .where('subject', '=', subject)
      .where('subject_id', '=', subject_id)
      .select('kind')
      .orderBy('seq')
      .execute()
  ).map(({ kind }) => kind)
