import type { userList } from '@garantia/shared/users/schema'
import type { z } from 'zod'

export type UserRow = z.output<typeof userList>['data'][number]
