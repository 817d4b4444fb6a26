import { useEffect, useRef, useState } from 'react'
import { posterImage } from '../../site-map.ts'
import type { PublicBusiness } from '../contract.ts'

/** The logo if it is an own file, else a poster with the initial. Fills its positioned frame. */
export function BusinessLogo({
  business,
  alt = '',
  eager = false,
}: {
  business: Pick<PublicBusiness, 'business_id' | 'business_name' | 'category' | 'logo_url'> &
    Partial<Pick<PublicBusiness, 'logo_image'>>
  alt?: string
  eager?: boolean
}) {
  const [isMissing, setMissing] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  const path = business.logo_image ?? business.logo_url
  const own = path && /^\/(?![/\\])/.test(path) && !isMissing ? path : null
  useEffect(() => {
    // the picture may have failed before hydration
    if (own && image.current?.complete && image.current.naturalWidth === 0) setMissing(true)
  }, [own])
  const poster = { id: business.business_id, category: business.category, title: business.business_name }
  return (
    <img
      ref={image}
      src={own ?? posterImage('business', poster)}
      alt={alt}
      width={800}
      height={600}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      onError={() => own && setMissing(true)}
      className={`absolute inset-0 size-full ${own ? 'bg-paper object-contain' : 'object-cover'}`}
    />
  )
}
