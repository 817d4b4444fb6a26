import type { Role } from '../../accounts/contract.ts'

/** Who talks in the demo's forum; all invented, and without an account. */
export interface DemoPerson {
  name: string
  role?: Role
  /** Days since they joined. */
  days: number
}

export const demoPeople = {
  team: { name: 'Rheinklang Team', role: 'moderator', days: 200 },
  lena: { name: 'Lena', days: 90 },
  jonas: { name: 'Jonas B.', days: 61 },
  camille: { name: 'Camille', days: 45 },
  noah: { name: 'Noah', days: 30 },
  sofia: { name: 'Sofia R.', days: 22 },
  beat: { name: 'Beat vom Rheinbord', days: 120 },
  amira: { name: 'Amira', days: 14 },
  theo: { name: 'Théo', days: 18 },
  priya: { name: 'Priya', days: 8 },
  urs: { name: 'Urs', days: 75 },
  nina: { name: 'Nina K.', days: 3 },
  marc: { name: 'Marc-Antoine', days: 5 },
  elif: { name: 'Elif', days: 40 },
  cafe: { name: 'Fährimaa Kaffi', role: 'business', days: 66 },
} as const satisfies Record<string, DemoPerson>

export type DemoPersonKey = keyof typeof demoPeople
