import { use, useState } from 'react'
import { useHydrated } from './hydrated.ts'
import { NonceContext } from './nonce.ts'
import { scriptJson } from './script-json.ts'
import { SiteContext, type SharingPicture, type Site } from './site.ts'
import type { Thing } from './structured-data.ts'

const openGraphLocales = { en: 'en_GB', de: 'de_CH', fr: 'fr_CH' } as const
const descriptionLimit = 160

/**
 * The head of a page: title, description, canonical address, Open Graph tags and schema.org data. Each screen draws it
 * exactly once. React moves the tags into `<head>`, on the server and in the browser, and removes them with the screen;
 * route `meta` exports are not used.
 */
export function PageHead({
  title,
  description,
  address,
  hidden = false,
  picture,
  kind = 'WebPage',
  data,
}: {
  /** Without the name of the site: it is added on all pages but the home page. */
  title: string
  /** Any length: whitespace is collapsed, and the text is cut after 160 characters. */
  description?: string
  /** Canonical address from `/` on, without parameters for tracking or scroll position; absent: the page has none. */
  address?: string
  /** Keeps the page out of search engines. */
  hidden?: boolean
  /** Absent: the picture of the site. */
  picture?: SharingPicture
  kind?: 'WebPage' | 'AboutPage' | 'CollectionPage' | 'ContactPage' | 'ItemPage'
  /** The page's subject as schema.org data. Called on the server alone: pass `import.meta.env.SSR ? … : undefined`. */
  data?: (site: Site) => Thing[]
}) {
  const site = use(SiteContext)
  if (!site) throw new Error('PageHead stands outside of SiteContext')
  const name = oneLine(title)
  const about = shortened(oneLine(description ?? ''))
  const shown = picture ?? site.picture
  const url = address === undefined ? undefined : site.origin + address
  return (
    <>
      <title>{address === '/' ? name : `${name} · ${site.name}`}</title>
      {about && <meta name="description" content={about} />}
      {hidden && <meta name="robots" content="noindex" />}
      {url && <link rel="canonical" href={url} />}
      <meta property="og:title" content={name} />
      {about && <meta property="og:description" content={about} />}
      <meta property="og:type" content="website" />
      {url && <meta property="og:url" content={url} />}
      <meta property="og:site_name" content={site.name} />
      <meta property="og:locale" content={openGraphLocales[site.locale]} />
      <meta property="og:image" content={site.origin + shown.path} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={oneLine(shown.alt)} />
      <meta name="twitter:card" content="summary_large_image" />
      {url && !hidden && (
        <StructuredData
          key={url}
          graph={() => [
            {
              '@type': kind,
              '@id': url,
              url,
              name,
              description: about || undefined,
              inLanguage: site.locale,
              isPartOf: {
                '@type': 'WebSite',
                '@id': `${site.origin}/#website`,
                name: site.name,
                url: `${site.origin}/`,
              },
              primaryImageOfPage: { '@type': 'ImageObject', url: site.origin + shown.path, width: 1200, height: 630 },
            },
            ...(data?.(site) ?? []),
          ]}
        />
      )}
    </>
  )
}

/**
 * Only drawn by the server: crawlers load each page from it, and under Trusted Types a browser may not create a script, not
 * even one with data. During hydration React keeps the server's text (`suppressHydrationWarning`).
 */
function StructuredData({ graph }: { graph: () => Thing[] }) {
  const nonce = use(NonceContext)
  const isHydrated = useHydrated()
  const [isFromServer] = useState(!isHydrated)
  if (!isFromServer) return null
  const json = import.meta.env.SSR ? scriptJson({ '@context': 'https://schema.org', '@graph': graph() }) : ''
  return (
    <script type="application/ld+json" nonce={nonce} suppressHydrationWarning>
      {json}
    </script>
  )
}

/** Browsers change line ends in attributes: hydration would not recognise the tag and add it a second time. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Cuts whole characters, at a space if one is near. */
function shortened(text: string): string {
  const letters = [...text]
  if (letters.length <= descriptionLimit) return text
  const cut = letters.slice(0, descriptionLimit - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > cut.length / 2 ? space : undefined).replace(/[\s.,;:–-]+$/, '')}…`
}
