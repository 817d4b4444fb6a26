import { followShownDeals } from '../../analytics/web/shown-deals.ts'

/** What pages with deals bring once they are alive: the heart of each, and the count of which deals were seen. */
export { default } from '../../favorites/web/SaveButton.tsx'

if (typeof document !== 'undefined') followShownDeals()
