import { accountEndpoints } from '../features/account/rest.ts'
import { authEndpoints } from '../features/auth/rest.ts'
import { brandEndpoints } from '../features/brands/rest.ts'
import { companyEndpoints } from '../features/companies/rest.ts'
import { conversionEndpoints } from '../features/conversion/rest.ts'
import { dossierEndpoints } from '../features/dossier/rest.ts'
import { evidenceEndpoints } from '../features/evidence/rest.ts'
import { healthEndpoints } from '../features/health/rest.ts'
import { orderEndpoints } from '../features/orders/rest.ts'
import { userEndpoints } from '../features/users/rest.ts'
import type { Endpoint } from './rest.ts'

/** The whole REST surface, in one list. */
export const endpoints: readonly Endpoint[] = [
  ...healthEndpoints,
  ...authEndpoints,
  ...accountEndpoints,
  ...userEndpoints,
  ...companyEndpoints,
  ...brandEndpoints,
  ...orderEndpoints,
  ...evidenceEndpoints,
  ...conversionEndpoints,
  ...dossierEndpoints,
]
