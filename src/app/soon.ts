/** What each room that opened has: `../deals/web/routes.ts` -> address -> screen. */
const opened = import.meta.glob<Record<string, string>>('../*/web/routes.ts', { eager: true, import: 'screens' })

/** Address -> screen, over all rooms, as seen from this folder. */
export const roomScreens: Record<string, string> = Object.fromEntries(
  Object.entries(opened).flatMap(([file, screens]) =>
    Object.entries(screens).map(([address, screen]) => [address, file.replace(/routes\.ts$/, screen)]),
  ),
)

const planned = [
  'events',
  'forum',
  'deal-analytics',
  'upgrade-subscription',
  'upgrade',
  'promote-business',
  'myschedule',
  'favorites',
  'redeem',
] as const

export type PlannedPage = (typeof planned)[number]

/** Addresses that a room to come will answer; until it is there they say so. They leave this list by themselves. */
export const soonPages: readonly PlannedPage[] = planned.filter((address) => !Object.hasOwn(roomScreens, address))
