import type { Database } from '../kit/server/database.ts'
import { openKeyring, type Keyring } from '../kit/server/keyring.ts'
import type { Room } from '../kit/server/room.ts'
import { secretPlaceOf, type Config } from './config.ts'
import { rooms as allRooms } from './rooms.ts'

/**
 * The keys of the installation, for a start and for commands alike: the first of them that has a new secret switches the
 * database to it, and then every room must have sealed anew what it keeps sealed, for the old secret may be gone.
 */
export function installationKeys(db: Database, config: Config, rooms: readonly Room[] = allRooms): Promise<Keyring> {
  return openKeyring(db, secretPlaceOf(config), async (keyring) => {
    for (const room of rooms) await room.sealAnew?.({ db, keyring })
  })
}
