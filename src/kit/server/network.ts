/** Characters; an IPv6 address has at most 45. */
const longest = 60

/**
 * The key under which limits, tries and views count an address. For IPv6 it is the /64 network (`2001:db8:1:2::/64`), as a subscriber has
 * all of it; IPv4 in IPv6 form is the IPv4 address. Port and zone are dropped. A network returned here stays itself; other texts are only
 * cut off.
 */
export function networkOf(address: string): string {
  const ported = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1]
  if (ported) return ported
  if (!address.includes(':')) return address.slice(0, longest)
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address
  // the URL parser reads every notation of IPv6 and writes one
  const written = URL.parse(`http://[${bare.split('%', 1)[0]}]`)?.hostname.slice(1, -1)
  if (!written) return address.slice(0, longest)
  const groups = groupsOf(written)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** All eight groups; `::` stands for groups of 0. */
function groupsOf(ipv6: string): string[] {
  const [head = '', tail] = ipv6.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

function ipv4Of(twoGroups: string[]): string {
  return twoGroups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 255])
    .join('.')
}
