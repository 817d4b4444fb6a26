import { measureFailovers, measureStall } from '../test/outages.ts'
import { plain, seconds, type Row } from './report.ts'

/** R2, R3, R24 and R25: waiting commits and killed primaries, with load on two instances. */
export async function outageRows(stallSeconds: number, episodes: number): Promise<Row[]> {
  const stall = await measureStall(stallSeconds)
  const { acknowledged, lost, fiveHundreds, differentLists, slowestGapMs } = await measureFailovers(episodes)
  const odd = Object.keys(stall.statuses).filter((status) => !['201', '202', '503'].includes(status))
  const what = `R24 commits wait for ${stallSeconds} s`
  return [
    plain(`${what}: failed reads`, `${stall.failedReads} of ${stall.reads}`, '0', stall.failedReads === 0),
    plain(`${what}: slowest read`, seconds(stall.slowestReadMs), '≤ 1 s', stall.slowestReadMs <= 1000),
    plain(
      `${what}: slowest of ${stall.writes} writes; answers but 201, 202, 503`,
      `${seconds(stall.slowestWriteMs)}; ${odd.length}`,
      '≤ 5 s; 0',
      stall.slowestWriteMs <= 5000 && odd.length === 0,
    ),
    plain(`${what}: connections`, `${stall.mostConnections}`, '≤ 30', stall.mostConnections <= 30),
    plain(`R3 ${what.slice(4)}: well again after`, seconds(stall.wellAfterMs), '≤ 2 s', stall.wellAfterMs <= 2000),
    plain(
      `R2, R25 a primary killed ${episodes} times: acknowledged writes lost, 500s, lists that differ from the database`,
      `${lost} of ${acknowledged}, ${fiveHundreds}, ${differentLists}`,
      '0, 0, 0',
      lost + fiveHundreds + differentLists === 0,
    ),
    plain('R2 from the kill until both instances read and write, slowest', seconds(slowestGapMs), '', null),
  ]
}
