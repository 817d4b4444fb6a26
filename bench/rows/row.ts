import type { Figure } from '../load.ts'

/** One line of the table. */
export interface Row {
  what: string
  ours: string
  ceiling: string
  ratio: string
  bar: string
  met: boolean | null
}

/** Of what has no ceiling beside it. */
export function plain(what: string, ours: string, bar: string, met: boolean): Row {
  return { what, ours, ceiling: '', ratio: '', bar, met }
}

export function compare(what: string, ours: Figure, bare: Figure, bar: number): Row {
  const ratio = ours.requestsPerSecond / bare.requestsPerSecond
  return {
    what,
    ours: perSecond(ours),
    ceiling: perSecond(bare),
    ratio: ratio.toFixed(2),
    bar: `≥ ${bar}`,
    met: ratio >= bar && ours.failed === 0,
  }
}

export function pageRow(what: string, ours: Figure, react: Figure, fixed?: Figure): Row {
  const cpu = ours.cpuMs / react.cpuMs
  const share = fixed && (ours.requestsPerSecond / fixed.requestsPerSecond).toFixed(2)
  return {
    what: share ? `${what} (${share} of node:http fixed)` : what,
    ours: perSecond(ours),
    ceiling: perSecond(react),
    ratio: cpu.toFixed(2),
    bar: '≤ 3.5 CPU',
    met: cpu <= 3.5 && ours.failed === 0,
  }
}

export function perSecond({ requestsPerSecond, cpuMs, failed }: Figure) {
  return `${Math.round(requestsPerSecond).toLocaleString('en')}/s${cpuMs > 0 ? ` at ${cpuMs.toFixed(2)} ms CPU` : ''}${failed > 0 ? ` (${failed} failed)` : ''}`
}
