import { runMigrations } from 'graphile-worker'
import { Kysely, PostgresDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Pool } from 'pg'
import * as peopleAndCompanies from './0001_people_and_companies.ts'
import * as brands from './0002_brands.ts'
import * as orders from './0003_orders.ts'
import * as evidence from './0004_evidence.ts'
import * as eventsAndWorkers from './0005_events_and_workers.ts'
import * as accounts from './0006_accounts.ts'
import * as orderLists from './0007_order_lists.ts'
import * as audit from './0008_audit.ts'
import * as apiTokens from './0009_api_tokens.ts'
import * as evidenceQuality from './0010_evidence_quality.ts'
import * as retention from './0011_retention.ts'
import * as eventChain from './0012_event_chain.ts'
import * as dossiers from './0013_dossiers.ts'
import * as orderNews from './0014_order_news.ts'
import * as uploads from './0015_uploads.ts'
import * as evidenceView from './0016_evidence_view.ts'
import * as demonstration from './0020_demonstration.ts'
import * as reencodePass from './0021_reencode_pass.ts'
import * as reencodeColumns from './0022_reencode_columns.ts'
import * as tokenScopes from './0023_token_scopes.ts'
import * as quotas from './0024_quotas.ts'
import * as securityLogAndTools from './0025_security_log_and_tools.ts'
import * as signIn from './0026_sign_in.ts'
import * as searchInCompany from './0028_search_in_company.ts'
import * as customersOfAPeriod from './0029_customers_of_a_period.ts'
import * as workerFacts from './0031_worker_facts.ts'
import * as directoryLinks from './0033_directory_links.ts'
import * as responsiblePerson from './0036_responsible_person.ts'
import * as orderImports from './0037_order_imports.ts'
import * as chassis from './0038_chassis.ts'
import * as notifications from './0039_notifications.ts'
import * as importQuota from './0040_import_quota.ts'
import * as packageArchives from './0041_package_archives.ts'
import * as monthlyReports from './0042_monthly_reports.ts'
import * as openingsAndDeadlines from './0044_openings_and_deadlines.ts'
import * as signedDossiers from './0045_signed_dossiers.ts'
import * as authenticatedEvents from './0046_authenticated_events.ts'
import * as appendOnlyEvents from './0047_append_only_events.ts'
import * as privacy from './0050_privacy.ts'

export { grantToRoleInUse, MAY_CHANGE_EVENTS } from './role-in-use.ts'

import * as dossierTimestamps from './0049_dossier_timestamps.ts'
import * as redactionOfTexts from './0051_redaction_of_texts.ts'
import * as compliance from './0052_compliance.ts'
import * as securityLogChain from './0053_security_log_chain.ts'
import * as customerRetentionRun from './0054_customer_retention_run.ts'
import * as fasterEvents from './0055_faster_events.ts'
import * as encryptedColumns from './0056_encrypted_columns.ts'
import * as companyLogos from './0057_company_logos.ts'
import * as claims from './0058_claims.ts'
import * as claimAnswersAndMoney from './0059_claim_answers_and_money.ts'
import * as claimTotalsAndDeadlines from './0060_claim_totals_and_deadlines.ts'
import * as claimSteps from './0061_claim_steps.ts'
import * as deadlines from './0062_deadlines.ts'
import * as remittanceFacts from './0063_remittance_facts.ts'
import * as operations from './0064_operations.ts'
import * as claimMails from './0065_claim_mails.ts'
import * as viewsOfClaims from './0066_views_of_claims.ts'
import * as claimFigures from './0067_claim_figures.ts'
import * as evidenceReadings from './0068_evidence_readings.ts'
import * as refusalsOfOrders from './0069_refusals_of_orders.ts'
import * as noClaimTotals from './0070_no_claim_totals.ts'
import * as backupRuns from './0071_backup_runs.ts'
import * as webhooks from './0072_webhooks.ts'
import * as verifications from './0073_verifications.ts'
import * as guestLinks from './0074_guest_links.ts'
import * as marks from './0075_marks.ts'
import * as appCamera from './0076_app_camera.ts'
import * as vehiclePhotos from './0077_vehicle_photos.ts'
import * as accessEpoch from './0078_access_epoch.ts'
import * as recordedRights from './0079_recorded_rights.ts'
import * as decoderContainer from './0080_decoder_container.ts'
import * as lawOf2026 from './0081_law_of_2026.ts'

/** Fixed order: a migration that has run anywhere is never edited or renamed. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001_people_and_companies': peopleAndCompanies,
  '0002_brands': brands,
  '0003_orders': orders,
  '0004_evidence': evidence,
  '0005_events_and_workers': eventsAndWorkers,
  '0006_accounts': accounts,
  '0007_order_lists': orderLists,
  '0008_audit': audit,
  '0009_api_tokens': apiTokens,
  '0010_evidence_quality': evidenceQuality,
  '0011_retention': retention,
  '0012_event_chain': eventChain,
  '0013_dossiers': dossiers,
  '0014_order_news': orderNews,
  '0015_uploads': uploads,
  '0016_evidence_view': evidenceView,
  '0020_demonstration': demonstration,
  // Recorded under its former name in every database that has run it.
  '0021_second_round': reencodePass,
  '0022_reencode_columns': reencodeColumns,
  '0023_token_scopes': tokenScopes,
  '0024_quotas': quotas,
  '0025_security_log_and_tools': securityLogAndTools,
  '0026_sign_in': signIn,
  '0028_search_in_company': searchInCompany,
  '0029_customers_of_a_period': customersOfAPeriod,
  '0031_worker_facts': workerFacts,
  '0033_directory_links': directoryLinks,
  '0036_responsible_person': responsiblePerson,
  '0037_order_imports': orderImports,
  '0038_chassis': chassis,
  '0039_notifications': notifications,
  '0040_import_quota': importQuota,
  '0041_package_archives': packageArchives,
  '0042_monthly_reports': monthlyReports,
  '0044_openings_and_deadlines': openingsAndDeadlines,
  '0045_signed_dossiers': signedDossiers,
  // Recorded under its former name too.
  '0046_events_with_seal': authenticatedEvents,
  '0047_append_only_events': appendOnlyEvents,
  '0049_dossier_timestamps': dossierTimestamps,
  '0050_privacy': privacy,
  '0051_redaction_of_texts': redactionOfTexts,
  '0052_compliance': compliance,
  '0053_security_log_chain': securityLogChain,
  '0054_customer_retention_run': customerRetentionRun,
  '0055_faster_events': fasterEvents,
  '0056_encrypted_columns': encryptedColumns,
  '0057_company_logos': companyLogos,
  '0058_claims': claims,
  '0059_claim_answers_and_money': claimAnswersAndMoney,
  '0060_claim_totals_and_deadlines': claimTotalsAndDeadlines,
  '0061_claim_steps': claimSteps,
  '0062_deadlines': deadlines,
  '0063_remittance_facts': remittanceFacts,
  '0064_operations': operations,
  '0065_claim_mails': claimMails,
  '0066_views_of_claims': viewsOfClaims,
  '0067_claim_figures': claimFigures,
  '0068_evidence_readings': evidenceReadings,
  '0069_refusals_of_orders': refusalsOfOrders,
  '0070_no_claim_totals': noClaimTotals,
  '0071_backup_runs': backupRuns,
  '0072_webhooks': webhooks,
  '0073_verifications': verifications,
  '0074_guest_links': guestLinks,
  '0075_marks': marks,
  '0076_app_camera': appCamera,
  '0077_vehicle_photos': vehiclePhotos,
  '0078_access_epoch': accessEpoch,
  '0079_recorded_rights': recordedRights,
  '0080_decoder_container': decoderContainer,
  '0081_law_of_2026': lawOf2026,
}

/**
 * Migrates a database to the latest version: first the job queue's schema, then this product's. Several
 * servers may call it at once; Kysely takes a lock. Throws when a step fails; that step is rolled back.
 */
export async function migrateToLatest(pool: Pool) {
  await runMigrations({ pgPool: pool })
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/**
 * Migrates a database to the migration of this name, as a backup needs it that was made there. A database that is
 * further already is left as it is. Throws when a step fails.
 */
export async function migrateTo(pool: Pool, name: string) {
  await runMigrations({ pgPool: pool })
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const steps = Object.entries(MIGRATIONS)
  const known = Object.fromEntries(steps.slice(0, steps.findIndex(([step]) => step === name) + 1))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
