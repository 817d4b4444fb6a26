import { accounts } from '../accounts/room.ts'
import { analytics } from '../analytics/room.ts'
import { businesses } from '../businesses/room.ts'
import { cases } from '../cases/room.ts'
import { contact } from '../contact/room.ts'
import { deals } from '../deals/room.ts'
import { events } from '../events/room.ts'
import { favorites } from '../favorites/room.ts'
import { forum } from '../forum/room.ts'
import type { Room } from '../kit/server/room.ts'
import { mail } from '../mail/room.ts'
import { live } from '../live/room.ts'
import { map } from '../map/room.ts'
import { newsletter } from '../newsletter/room.ts'
import { payments } from '../payments/room.ts'
import { notifications } from '../notifications/room.ts'
import { places } from '../places/room.ts'
import { ratings } from '../ratings/room.ts'
import { redemptions } from '../redemptions/room.ts'
import { schedule } from '../schedule/room.ts'
import { staff } from '../staff/room.ts'
import { urgent } from '../urgent/room.ts'
import { views } from '../views/room.ts'

/** The rooms of the house, lowest first. */
export const rooms: readonly Room[] = [
  map,
  views,
  live,
  mail,
  accounts,
  notifications,
  newsletter,
  contact,
  staff,
  businesses,
  places,
  urgent,
  events,
  deals,
  redemptions,
  ratings,
  favorites,
  analytics,
  schedule,
  forum,
  cases,
  payments,
]
