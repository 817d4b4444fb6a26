import type { Sql } from '../../kit/server/database.ts'
import type { House } from '../../kit/server/room.ts'
import type { Provider } from './provider.ts'
import type { StripeSettings } from './stripe-provider.ts'
import type { TestProvider } from './test-provider.ts'

export interface PaymentSettings {
  /** null: purchases answer 503. */
  provider: 'stripe' | 'test' | null
  /** The test provider never charges the card on file: each payment needs its page. */
  testCheckout: boolean
  stripe: StripeSettings | null
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

type Services = 'db' | 'clock' | 'jobs' | 'log' | 'complain' | 'texts' | 'publishFact'
export interface PaymentRoom extends Pick<House, Services> {
  settings: PaymentSettings
  festivalName: string
  origin: string
  zone: string
  /** The provider, working in this database or transaction; null: the operator has set none. */
  provider: (db: Sql) => Provider | TestProvider | null
}

export const isTest = (provider: Provider | TestProvider | null): provider is TestProvider => provider?.name === 'test'
