import type { Room } from '../kit/server/room.ts'
import { forgetVisitors } from './server/views.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Kinds of pages whose views the room has counted. */
    countedPages: readonly string[]
  }
}

export const views: Room<object> = {
  name: 'views',
  looksInto: [],
  open: () => ({}),
  jobs: (_, { db, clock }) => ({
    'forget-visitors': { cron: '45 4 * * *', run: () => forgetVisitors({ db, clock }) },
  }),
}
