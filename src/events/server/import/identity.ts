import { createHash } from 'node:crypto'
import { importText, type ImportText } from '../../../kit/server/import-text.ts'
import type { ScheduleItem } from './schedule-item.ts'

/**
 * Of several versions of an entry the newest: the highest sequence, then the last change. Entries with the same id and the same
 * sequence are versions only if they have one title, and different times of change.
 */
export function newestVersions<Entry>(
  entries: Entry[],
  itemOf: (entry: Entry) => ScheduleItem,
): { kept: Entry[]; older: number } {
  const outdated = new Set<Entry>()
  const sequenceOf = (entry: Entry) => itemOf(entry).version?.sequence ?? 0
  const modifiedOf = (entry: Entry) => itemOf(entry).version?.modified ?? ''
  for (const [id, same] of Map.groupBy(entries, (entry) => itemOf(entry).id)) {
    if (id === '' || same.length === 1) continue
    const highest = same.reduce((most, entry) => Math.max(most, sequenceOf(entry)), 0)
    for (const entry of same) if (sequenceOf(entry) < highest) outdated.add(entry)
    const current = same.filter((entry) => !outdated.has(entry) && modifiedOf(entry) !== '')
    for (const versions of Map.groupBy(current, (entry) => itemOf(entry).title).values()) {
      const newest = versions.map(modifiedOf).toSorted().at(-1)!
      for (const entry of versions) if (modifiedOf(entry) < newest) outdated.add(entry)
    }
  }
  return { kept: entries.filter((entry) => !outdated.has(entry)), older: outdated.size }
}

/** An item with an id of its own, and what was done to its id. */
export interface IdentifiedItem {
  item: ScheduleItem
  notes: ImportText[]
}

/** Longest id that is stored. */
const idMost = 300

/**
 * Gives each item an id of its own. Where several have the same, the earliest keeps it, and start and stage tell the others apart, if
 * need be the title; of entries that are equal in these, the first is taken. An item without an id that can be stored is known by title, start and stage.
 */
export function ownIdentities(items: ScheduleItem[]): IdentifiedItem[] {
  const named = items.map((item): IdentifiedItem => {
    if (item.fault || isStorable(item.id)) return { item, notes: [] }
    return { item: { ...item, id: hashOf(keyOf(item)) }, notes: [importText(item.id === '' ? 'noId' : 'badId')] }
  })
  const byId = Map.groupBy(named, ({ item }) => (item.fault ? '' : item.id))
  const used = new Set(byId.keys())
  const dropped = new Set<IdentifiedItem>()
  for (const [id, same] of byId) {
    if (id === '' || same.length === 1) continue
    const equal = [...Map.groupBy(same, ({ item }) => keyOf(item)).values()]
    for (const [first, ...others] of equal) {
      for (const other of others) dropped.add(other)
      if (others.length > 0) first!.notes.push(importText('sameTwice', { n: others.length + 1 }))
    }
    if (equal.length === 1) continue
    const firsts = equal.map(([first]) => first!)
    firsts[0]!.notes.push(importText('idShared', { id: id.slice(0, 80), n: firsts.length }))
    const earliest = firsts.toSorted((a, b) => (keyOf(a.item) < keyOf(b.item) ? -1 : 1))[0]
    const placed = Map.groupBy(firsts, ({ item }) => placeOf(item))
    for (const each of firsts) {
      if (each === earliest) continue
      const parts = [id, placeOf(each.item), ...(placed.get(placeOf(each.item))!.length > 1 ? [each.item.title] : [])]
      let own = parts.join(' ').trim()
      while (!isStorable(own) || used.has(own)) own = hashOf(own)
      used.add(own)
      each.item = { ...each.item, id: own }
    }
  }
  return named.filter((each) => !dropped.has(each))
}

const isStorable = (id: string) => id !== '' && id.length <= idMost && !id.includes('\0') && id.isWellFormed()
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40)
const placeOf = ({ starts, room }: ScheduleItem) => `${starts?.toString() ?? ''} ${room.normalize('NFC')}`
const keyOf = (item: ScheduleItem) => `${placeOf(item)} ${item.title.normalize('NFC')}`
