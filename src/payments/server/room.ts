import type { Clock } from '../../kit/server/clock.ts'
import type { Complain } from '../../kit/server/complaints.ts'
import type { Database } from '../../kit/server/database.ts'
import type { Jobs } from '../../kit/server/jobs.ts'
import type { House } from '../../kit/server/room.ts'
import type { SecurityLog } from '../../kit/server/security-log.ts'
import type { Sql } from '../../kit/server/database.ts'
import type { Provider } from './provider.ts'
import type { TestProvider } from './test-provider.ts'

export interface PaymentSettings {
  /** null: paid calls answer 503. */
  provider: 'stripe' | 'test' | null
  /** Every payment of the test provider takes its hosted page. */
  testCheckout: boolean
  stripe: { secretKey: string; webhookSecrets: string[]; apiBase: string | null } | null
  /** Who writes the invoices: name and address. */
  issuer: string
  /** Both or neither. Percent. */
  vat: { id: string; rate: number } | null
}

declare module '../../kit/server/room.ts' {
  interface RoomSettings {
    payments: PaymentSettings
  }
}

export interface PaymentRoom {
  db: Database
  clock: Clock
  jobs: Jobs
  log: SecurityLog
  complain: Complain
  texts: House['texts']
  publishFact: House['publishFact']
  settings: PaymentSettings
  festivalName: string
  origin: string
  zone: string
  /** Over the given database or transaction; null: none was chosen. */
  provider: (db: Sql) => Provider | TestProvider | null
}

export const isTest = (provider: Provider | TestProvider | null): provider is TestProvider => provider?.name === 'test'
