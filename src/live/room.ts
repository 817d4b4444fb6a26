import type { Room } from '../kit/server/room.ts'
import { liveOperations } from './server/routes.ts'
import { forgetEvents, openLive, type LiveRoom } from './server/live.ts'

declare module '../kit/server/room.ts' {
  interface RoomQuestions {
    /** Kinds of channels that everybody may subscribe to: `topic` stands for `topic` itself and for each `topic:<id>`. */
    publicChannels: readonly string[]
  }
}

/** Streams of server-sent events over any number of instances. */
export const live: Room<LiveRoom> = {
  name: 'live',
  looksInto: [],
  open: openLive,
  operations: liveOperations,
  serve: (app, { hub }) => void app.addHook('onClose', () => hub.close()),
  jobs: (own) => ({ 'forget-live-events': { cron: '*/10 * * * *', run: () => forgetEvents(own) } }),
}
