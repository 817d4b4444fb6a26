import { page } from '../../site-map.ts'

/** The staff pages, in the order of the tabs; `label` is a key under `staff`. */
export const desks = [
  { key: 'events', href: page.adminEvents, label: 'programme' },
  { key: 'merchants', href: page.adminMerchants, label: 'merchants' },
  { key: 'places', href: page.adminPlaces, label: 'places' },
  { key: 'urgent', href: page.adminUrgent, label: 'urgent' },
  { key: 'reports', href: page.adminReports, label: 'reports' },
  { key: 'moderation', href: page.moderation, label: 'moderation' },
  { key: 'log', href: page.adminLog, label: 'log' },
] as const
