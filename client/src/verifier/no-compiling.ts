import { config } from 'zod'

// zod would compile schemas as they are made, which the policy of the page forbids: imported before any schema.
config({ jitless: true })
