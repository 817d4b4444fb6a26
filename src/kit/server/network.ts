/** In letters; an IPv6 address has 45 at most. */
const longest = 60

/**
 * What counts as one address wherever something is counted by address: limits, tries, views. An IPv6 subscriber has a
 * whole /64 (`2001:db8:1:2::/64`); IPv4 written as IPv6 is the IPv4 it stands for. Port and zone that a proxy left on it
 * count for nothing. The network of a network is itself; what is no address stays as it is, as far as it can be a key.
 */
export function networkOf(address: string): string {
  const ported = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1]
  if (ported) return ported
  if (!address.includes(':')) return address.slice(0, longest)
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address
  // the parser of addresses knows every way to write one, and writes it in one
  const written = URL.parse(`http://[${bare.split('%', 1)[0]}]`)?.hostname.slice(1, -1)
  if (!written) return address.slice(0, longest)
  const groups = groupsOf(written)
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return ipv4Of(groups.slice(6))
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** All eight, of which `::` leaves out those that are 0. */
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
