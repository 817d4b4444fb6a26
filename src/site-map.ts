/** Every page address of the site and how to build it. */
export const page = {
  home: '/',
  events: '/events',
  deals: '/deals',
  dealsMap: '/dealsmap',
  forum: '/forum',
  userLogin: '/userlogin',
  userSignup: '/usersignup',
  businessLogin: '/business-login',
  businessSignup: '/signup',
  googleLogin: '/googlelogin',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  newsletter: '/newsletter',
  newsletterConfirm: '/newsletter/confirm',
  newsletterUnsubscribe: '/newsletter/unsubscribe',
  demoMail: '/demo/mail',
  dashboard: '/dashboard',
  editBusiness: '/edit-business',
  createDeal: '/create-deal',
  dealAnalytics: '/deal-analytics',
  upgrade: '/upgrade-subscription',
  promote: '/promote-business',
  invoices: '/invoices',
  mySchedule: '/myschedule',
  favorites: '/favorites',
  settings: '/settings',
  notifications: '/notifications',
  redeem: '/redeem',
  /** What the festival team may open. */
  admin: '/admin',
  adminEvents: '/admin/events',
  adminMerchants: '/admin/merchants',
  adminPlaces: '/admin/places',
  adminLog: '/admin/log',
  adminUrgent: '/admin/urgent',
  adminReports: '/admin/reports',
  myCodes: '/my-codes',
  forumNew: '/forum/new',
  forumSearch: '/forum/search',
  moderation: '/admin/moderation',
  businesses: '/business',
  terms: '/terms',
  privacy: '/privacy',
  help: '/help',
  learnMore: '/learn-more',
  contact: '/contact',
  search: '/search',
  mapData: '/map-data',
  /** Opens a page with what the phone has kept of it. */
  offline: '/offline',
  /** For who has changes on the phone that were not sent. */
  logout: '/logout',
} as const

/** Pages that mailed links open: their addresses hold a token until a script has taken it out. */
export const mailedLinkPages: readonly string[] = [
  page.resetPassword,
  page.verifyEmail,
  page.newsletterConfirm,
  page.newsletterUnsubscribe,
]

type Query = Record<string, string | number | boolean | null | undefined>

/** The form of an event for staff; `new` for one that is to be made. */
export const adminEventPage = (eventId: string) => `/admin/events/${encodeURIComponent(eventId)}`
export const eventPage = (eventId: string) => `/event/${encodeURIComponent(eventId)}`
export const dealPage = (dealId: string) => `/deal/${encodeURIComponent(dealId)}`
/** The deal in large type, to be shown at the counter. */
export const counterPage = (dealId: string) => `${dealPage(dealId)}?show=counter`
export const editDealPage = (dealId: string) => `/deal/${encodeURIComponent(dealId)}/edit`
/** Where a browser comes back to that has paid; the page waits for the confirmation. */
export const paidPage = (tier: string) => `${page.upgrade}?paid=${encodeURIComponent(tier)}`
export const promotedPage = `${page.promote}?paid=1`
/** To be printed. */
export const invoicePage = (invoiceId: string) => `/invoice/${encodeURIComponent(invoiceId)}`
/** Of the built-in test provider of payments. */
export const testCheckoutPage = (checkoutId: string) => `/test-checkout/${encodeURIComponent(checkoutId)}`
export const businessPage = (businessId: string) => `/business/${encodeURIComponent(businessId)}`

/** What a guest has picked on this phone. */
export const savedEventsPage = `${page.events}?saved=1`
/** The deals, merchants and performers that a guest has saved on this phone. */
export const savedDealsPage = `${page.deals}?saved=1`
/** Whether an address is one of these two. */
export const isSavedHere = (path: string, search: string) =>
  (path === page.events || path === page.deals) && new URLSearchParams(search).get('saved') === '1'
/** Somebody's schedule for others; who has the address may read it. */
export const sharedSchedulePage = (token: string) => `/shared/${encodeURIComponent(token)}`

/** `/forum`, or one of its categories, with the given filters in the URL. */
export const forumPage = (category: string | null, query: Query = {}) =>
  withQuery(category === null ? page.forum : `${page.forum}/${encodeURIComponent(category)}`, query)
/** New topics and posts for feed readers: of the forum, or of one category. */
export const forumFeed = (category: string | null) =>
  category === null ? `${page.forum}/feed.xml` : `${page.forum}/${encodeURIComponent(category)}/feed.xml`
/** New posts of one topic. */
export const topicFeed = (topicId: string) => `${page.forum}/topic/${encodeURIComponent(topicId)}/feed.xml`
/** Everything that a search finds, of each kind a few; `first`: the kind that comes first. */
export const searchPage = (query: Query) => withQuery(page.search, query)
export const newTopicPage = (query: Query) => withQuery(page.forumNew, query)
export const forumSearchPage = (query: Query) => withQuery(page.forumSearch, query)
export const memberPage = (handle: string) => `${page.forum}/members/${encodeURIComponent(handle)}`

/** A page of a topic; the first has no number. */
export const topicPage = (topicId: string, number = 1) =>
  withQuery(`/topic/${encodeURIComponent(topicId)}`, { page: number > 1 ? number : undefined })
/** Where a post stands, whatever else is written or deleted: numbers never change, and a page has twenty of them. */
export const postPlace = (topicId: string, postNumber: number) =>
  `${topicPage(topicId, Math.ceil(postNumber / 20))}#post-${postNumber}`

/** The generated picture of something without an upload; the address says all that it is made from. */
export const posterImage = (kind: 'deal' | 'business' | 'event', of: { id: string; category: string; title: string }) =>
  `/poster/${kind}/${encodeURIComponent(of.category)}/${encodeURIComponent(of.id)}.svg?t=${encodeURIComponent([...of.title.trim()][0] ?? '')}`

/** What other sites show of a deal or merchant, 1200 × 630; its address changes with it, because they keep pictures long. */
export const sharingPicture = (kind: 'deal' | 'business' | 'event', of: { id: string; updated_at: string }) =>
  `/og/${kind}/${encodeURIComponent(of.id)}.png?v=${(Date.parse(of.updated_at) || 0).toString(36)}`
/** What other sites show of every other page. */
export const siteSharingPicture = '/og/site.png'

/** `/deals` with the given filters in the URL; empty ones are left out. */
export const dealsPage = (query: Query) => withQuery(page.deals, query)

/** `/events` with the given day, view and filters in the URL; empty ones are left out. */
export const eventsPage = (query: Query) => withQuery(page.events, query)

/** `/business` with the given search or part of the alphabet in the URL; empty ones are left out. */
export const businessesPage = (query: Query) => withQuery(page.businesses, query)

/** `/dealsmap` with the given state in the URL; empty parts are left out. */
export const dealsMapPage = (query: Query) => withQuery(page.dealsMap, query)

function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '' && value !== false) search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

/** A visitor's codes; with one of them on the whole screen. */
export const myCodesPage = (claimId?: string) => withQuery(page.myCodes, { code: claimId })

export const loginPageWithNext = (login: string, next: string | null) =>
  next ? `${login}?next=${encodeURIComponent(next)}` : login

/** An address that somebody can open, as a picture or a calendar, and that no screen answers but the server itself. */
export const isNoPage = (path: string) =>
  /^\/(api|og|poster|uploads|demo|map)\//.test(path) || /\.(xml|ics|json|txt)$/.test(path)
