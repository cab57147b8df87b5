import { accessToken, loginInput, message, passwordChange, signUpInput } from '@garantia/shared/auth/schema'
import { brandView, evidenceRules } from '@garantia/shared/brands/schema'
import { companyChange, companyDetail, companyInput, companyView } from '@garantia/shared/companies/schema'
import { dossierList, dossierView } from '@garantia/shared/dossier/schema'
import {
  conversionReport,
  conversionState,
  evidenceDetail,
  evidenceFile,
  evidenceList,
  uploadResult,
} from '@garantia/shared/evidence/schema'
import { bulkAction, bulkResult } from '@garantia/shared/orders/bulk'
import { historyPage } from '@garantia/shared/orders/history'
import { metrics } from '@garantia/shared/orders/metrics'
import { orderInput, orderPage, orderRow, orderView, transitionView } from '@garantia/shared/orders/schema'
import { apiTokenInput, apiTokenView, newApiToken } from '@garantia/shared/tokens/schema'
import { meView, userChange, userInput, userView } from '@garantia/shared/users/schema'
import { z } from 'zod'

/** Schemas with a name in the document and in generated clients; all others are written inline. */
const NAMED = {
  AccessToken: accessToken,
  ApiToken: apiTokenView,
  ApiTokenInput: apiTokenInput,
  Brand: brandView,
  BulkAction: bulkAction,
  BulkResult: bulkResult,
  Company: companyView,
  CompanyChange: companyChange,
  CompanyDetail: companyDetail,
  CompanyInput: companyInput,
  ConversionReport: conversionReport,
  ConversionState: conversionState,
  Dossier: dossierView,
  DossierList: dossierList,
  EvidenceDetail: evidenceDetail,
  EvidenceFile: evidenceFile,
  EvidenceList: evidenceList,
  EvidenceRules: evidenceRules,
  HistoryPage: historyPage,
  LoginInput: loginInput,
  Me: meView,
  Message: message,
  Metrics: metrics,
  NewApiToken: newApiToken,
  OrderInput: orderInput,
  OrderPage: orderPage,
  OrderRow: orderRow,
  OrderView: orderView,
  PasswordChange: passwordChange,
  SignUpInput: signUpInput,
  Transition: transitionView,
  UploadResult: uploadResult,
  User: userView,
  UserChange: userChange,
  UserInput: userInput,
} satisfies Record<string, z.ZodType>

export type JsonSchema = Record<string, unknown>

const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(NAMED)) names.add(schema, { id })

/**
 * Converts Zod schemas to JSON Schema 2020-12; named ones are written once to `components` and referenced.
 */
export function createSchemaRegistry() {
  const components: Record<string, JsonSchema> = {}

  function write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema, $defs, ...whole } = z.toJSONSchema(schema, {
      io,
      metadata: names,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // Keys may be added to a response later, and clients must accept them.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        // The safe integer range of JavaScript is not a rule of the API.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
    for (const [name, { id: _, ...one }] of Object.entries($defs ?? {})) components[name] = pointed(one)
    return pointed(whole)
  }

  return {
    components,
    /** The schema, or a reference when it has a name. */
    of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
      const name = names.get(schema)?.id
      if (name && components[name]) return { $ref: `#/components/schemas/${name}` }
      return write(schema, io)
    },
    /** Always inline: each property becomes a parameter. */
    propertiesOf: (schema: z.ZodObject) =>
      write(schema, 'input') as { properties?: Record<string, JsonSchema>; required?: string[] },
  }
}
export type SchemaRegistry = ReturnType<typeof createSchemaRegistry>

/** Zod's references point to its own `$defs`; the document keeps the schemas under `components`. */
const pointed = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
