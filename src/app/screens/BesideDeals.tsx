import { followShownDeals } from '../../analytics/web/shown-deals.ts'

/** Loaded after hydration on pages with deals: the save button, and counting which deals were seen. */
export { default } from '../../favorites/web/SaveButton.tsx'

if (typeof document !== 'undefined') followShownDeals()
