import type { Database } from '../kit/server/database.ts'
import { openKeyring, type Keyring } from '../kit/server/keyring.ts'
import type { Room } from '../kit/server/room.ts'
import { secretPlaceOf, type Config } from './config.ts'
import { rooms as allRooms } from './rooms.ts'

/**
 * The keys of the installation. The first start or command with a new SECRET_KEY seals everything again with it, room by room,
 * because the old secret may be removed afterwards.
 */
export function installationKeys(db: Database, config: Config, rooms: readonly Room[] = allRooms): Promise<Keyring> {
  return openKeyring(db, secretPlaceOf(config), async (keyring) => {
    for (const room of rooms) await room.sealAnew?.({ db, keyring })
  })
}
