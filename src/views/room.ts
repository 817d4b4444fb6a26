import type { Room } from '../kit/server/room.ts'
import { forgetVisitors, ViewCounter, type CountedPages } from './server/views.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Pages of the room whose views are counted. */
    countedPages: CountedPages
  }
}

export const views: Room<ViewCounter> = {
  name: 'views',
  looksInto: [],
  open: ({ db, clock, complain }) => new ViewCounter({ db, clock, complain }),
  serve: (app, counter) => void app.addHook('onClose', () => counter.close()),
  jobs: (_, { db, clock, answersTo }) => ({
    'forget-visitors': { cron: '45 4 * * *', run: () => forgetVisitors({ db, clock }, answersTo('countedPages')) },
  }),
}
