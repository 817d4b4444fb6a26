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
  /** null: purchases answer 503. */
  provider: 'stripe' | 'test' | null
  /** The test provider never charges the card on file: each payment needs its page. */
  testCheckout: boolean
  stripe: { secretKey: string; webhookSecrets: string[]; apiBase: string | null } | null
  /** Name and address of the issuer on invoices. */
  issuer: string
  /** rate: percent. null: no VAT is charged. */
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
  /** The provider, working in this database or transaction; null: the operator has set none. */
  provider: (db: Sql) => Provider | TestProvider | null
}

export const isTest = (provider: Provider | TestProvider | null): provider is TestProvider => provider?.name === 'test'
