import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

type Row = Record<string, unknown> & { id: string }
interface Answer {
  status: number
  body: unknown
}

/**
 * A stand-in for Stripe on this machine. It has the HTTP API as far as the site uses it, with idempotency keys, and refuses unknown paths
 * and parameters. It has a hosted page, its own clock, and sends signed webhooks of everything, twice and in the wrong order.
 */
export class StripePeer {
  readonly objects = new Map<string, Row>()
  readonly secret = 'whsec_peer0123456789'
  /** Requests so far, e.g. `POST /v1/customers`. */
  readonly asked: string[] = []
  /** Failure of the next requests. */
  trouble: 'none' | 'hangs' | 'fails' = 'none'
  /** Requests that it executes, but whose connection breaks before the answer. */
  readonly lostAnswers = new Set<string>()
  /** Ids of another account, whose keys were used before: refused in every request. */
  readonly ofOtherKeys = new Set<string>()
  /** Sends events in the form of before 2025-03-31: items have no periods. */
  tellsOldForm = false
  cardWorks = true
  /** Page to send people to instead of its hosted page. */
  elsewhere: string | null = null
  now = Math.floor(Date.parse('2026-06-20T12:00:00Z') / 1000)
  url = ''
  #made = 0
  readonly #answers = new Map<string, { request: string; answer: Answer }>()
  readonly #events: { type: string; object: Row; at: number }[] = []
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Sends all new events to the site, twice and in reverse order. */
  async deliver(app: { url: string }): Promise<number[]> {
    const events = this.#events.splice(0).map(({ type, object, at }, n) => ({
      id: `evt_${this.#made}_${n}`,
      object: 'event',
      type,
      created: at,
      data: { object: this.tellsOldForm && object.id.startsWith('sub_') ? inOldForm(object) : object },
      api_version: Stripe.API_VERSION,
    }))
    this.#made++
    const statuses: number[] = []
    for (const event of [...events.toReversed(), ...events]) {
      const payload = JSON.stringify(event)
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: this.secret, timestamp: this.now })
      const { status } = await fetch(`${app.url}/api/payments/webhook`, {
        method: 'POST',
        body: payload,
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      })
      statuses.push(status)
    }
    return statuses
  }

  /** Drops new events, as if their webhooks never arrived. */
  loseEvents(): void {
    this.#events.length = 0
  }

  /** Pays on the hosted page. @throws Error for a page that is no longer open */
  pay(sessionUrl: string): void {
    const session = this.get(new URL(sessionUrl).pathname.split('/').at(-1)!)
    if (session['status'] !== 'open') throw new Error('This page has expired.')
    const { business_id } = session['metadata'] as { business_id: string }
    if (session['mode'] === 'payment') {
      const intent = this.#charge(String(session['customer']), Number(session['amount_total']))
      Object.assign(session, { payment_intent: intent, payment_status: 'paid' })
    } else {
      const [item] = session['line_items'] as { price: string }[]
      const made = this.#subscribe(String(session['customer']), item!.price, { business_id })
      Object.assign(session, { subscription: made.id, payment_status: 'paid' })
    }
    session['status'] = 'complete'
    this.#tell('checkout.session.completed', session)
  }

  /** Ends the period of a subscription: it is cancelled, changed or charged, as planned. */
  renew(subscriptionId: string): void {
    const subscription = this.get(subscriptionId)
    const item = itemOf(subscription)
    this.now = item.current_period_end + 1
    if (subscription['cancel_at_period_end']) return this.#end(subscription)
    const schedule = subscription['schedule'] ? this.get(String(subscription['schedule'])) : null
    const next = (schedule?.['phases'] as { items: { price: string }[]; metadata?: object }[] | undefined)?.[1]
    if (schedule && next) {
      item.price = this.get(next.items[0]!.price)
      Object.assign(subscription['metadata'] as object, next.metadata)
      subscription['schedule'] = null
    }
    item.current_period_start = item.current_period_end
    item.current_period_end = endOf(item.current_period_start, item.price)
    if (this.cardWorks) this.#invoice(subscription, [[amountOf(item.price), item.price, false]])
    else {
      subscription['status'] = 'past_due'
      subscription['latest_invoice'] = this.#make('in', {
        customer: subscription['customer'],
        currency: 'chf',
        status: 'open',
        amount_paid: 0,
        parent: { subscription_details: { subscription: subscription.id, metadata: subscription['metadata'] } },
      }).id
    }
    this.#tell('customer.subscription.updated', subscription)
  }

  /** Retries an open invoice. True: it was paid. */
  retry(subscriptionId: string): boolean {
    const subscription = this.get(subscriptionId)
    const open = this.get(String(subscription['latest_invoice']))
    if (open['status'] !== 'open' || !this.cardWorks) return false
    open['status'] = 'void'
    const { price } = itemOf(subscription)
    if (subscription['status'] === 'past_due') subscription['status'] = 'active'
    this.#invoice(subscription, [[amountOf(price), price, false]])
    this.#tell('customer.subscription.updated', subscription)
    return true
  }

  /** @param moved amounts taken from the account, and given back */
  dispute(intent: string, status: string, moved: number[] = []): void {
    const charge = this.get(String(this.get(intent)['latest_charge']))
    charge['disputed'] = true
    const dispute =
      this.objects.get(`dp_${intent}`) ?? this.#make('dp', { id: `dp_${intent}`, currency: charge['currency'] })
    const balance_transactions = moved.map((amount) => ({ amount }))
    const { id, amount } = charge
    Object.assign(dispute, { payment_intent: intent, charge: id, amount, status, balance_transactions })
    this.#tell(status === 'needs_response' ? 'charge.dispute.created' : 'charge.dispute.closed', dispute)
  }

  /** Sells something that does not belong to the site, and refunds it. */
  sellOther(currency: string): void {
    const customer = this.#make('cus', { metadata: {} }).id
    const intent = this.#charge(customer, 1500, currency)
    const paid = { mode: 'payment', status: 'complete', payment_status: 'paid' }
    const more = { customer, metadata: {}, client_reference_id: null, currency, amount_total: 1500 }
    this.#tell('checkout.session.completed', this.#make('cs', { ...paid, ...more, payment_intent: intent }))
    this.refund(intent)
    this.dispute(intent, 'needs_response')
  }

  get(id: string): Row {
    const found = this.objects.get(id)
    if (!found) throw new Error(`The peer has no ${id}`)
    return found
  }

  list(prefix: string): Row[] {
    return [...this.objects.values()].filter(({ id }) => id.startsWith(`${prefix}_`)).toReversed()
  }

  #make(prefix: string, fields: Record<string, unknown>): Row {
    const row = { id: `${prefix}_${String(++this.#made).padStart(6, '0')}`, created: this.now, ...fields }
    this.objects.set(row.id, row)
    return row
  }

  #tell(type: string, object: Row): void {
    this.#events.push({ type, object: structuredClone(object), at: this.now })
  }

  #charge(customer: string, amount: number, currency = 'chf'): string {
    const payment_method_details = { type: 'card', card: { brand: 'visa', last4: '4242' } }
    const paid = { customer, amount, currency }
    const charge = this.#make('ch', { ...paid, amount_refunded: 0, disputed: false, payment_method_details })
    const intent = this.#make('pi', { ...paid, latest_charge: charge.id })
    charge['payment_intent'] = intent.id
    return intent.id
  }

  /** Refunds a payment, like the dashboard. */
  refund(intent: string): void {
    const charge = this.get(String(this.get(intent)['latest_charge']))
    charge['amount_refunded'] = charge['amount']
    const refund = this.#make('re', {
      payment_intent: intent,
      charge: charge.id,
      amount: charge['amount'],
      currency: charge['currency'],
      status: 'succeeded',
    })
    this.#tell('refund.created', refund)
  }

  #subscribe(customer: string, priceId: string, metadata: object): Row {
    const price = this.get(priceId)
    const item = {
      id: `si_${++this.#made}`,
      price,
      current_period_start: this.now,
      current_period_end: endOf(this.now, price),
    }
    const subscription = this.#make('sub', {
      customer,
      metadata: { ...metadata },
      currency: 'chf',
      status: 'incomplete',
      cancel_at_period_end: false,
      ended_at: null,
      schedule: null,
      latest_invoice: null,
      items: { data: [item] },
    })
    this.#tell('customer.subscription.created', subscription)
    subscription['status'] = 'active'
    this.#invoice(subscription, [[amountOf(price), price, false]])
    this.#tell('customer.subscription.updated', subscription)
    return subscription
  }

  #invoice(subscription: Row, parts: [amount: number, price: Row, proration: boolean][]): void {
    const item = itemOf(subscription)
    const amount = parts.reduce((sum, [each]) => sum + each, 0)
    const intent = this.#charge(String(subscription['customer']), amount)
    const invoice = this.#make('in', {
      customer: subscription['customer'],
      currency: 'chf',
      status: 'paid',
      amount_paid: amount,
      status_transitions: { paid_at: this.now },
      parent: {
        subscription_details: { subscription: subscription.id, metadata: { ...(subscription['metadata'] as object) } },
      },
      payments: { data: [{ payment: { type: 'payment_intent', payment_intent: intent } }] },
      lines: {
        data: parts.map(([each, price, proration]) => ({
          amount: each,
          period: { start: item.current_period_start, end: item.current_period_end },
          pricing: { price_details: { price: price.id, product: price['product'] } },
          parent: { subscription_item_details: { proration } },
        })),
      },
    })
    subscription['latest_invoice'] = invoice.id
    // events do not contain expanded fields
    this.#tell('invoice.paid', { ...invoice, payments: undefined })
  }

  #end(subscription: Row): void {
    Object.assign(subscription, { status: 'canceled', ended_at: this.now })
    this.#tell('customer.subscription.deleted', subscription)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const { pathname, search } = new URL(request.url ?? '/', this.url)
    const name = `${request.method} ${pathname}`
    this.asked.push(name)
    if (this.trouble === 'hangs') return
    const key = request.headers['idempotency-key']
    const stored = typeof key === 'string' ? this.#answers.get(key) : undefined
    const whole = `${name} ${text}`
    const answer = stored
      ? stored.request === whole
        ? stored.answer
        : refusal(400, 'idempotency_error', 'The key was used for another request.')
      : this.trouble === 'fails'
        ? refusal(500, 'api_error', 'trouble')
        : this.#answer(String(request.method), pathname, fieldsOf(text || search.slice(1)))
    // like Stripe it stores the first answer, also a declined card or a server error
    if (typeof key === 'string' && !stored) this.#answers.set(key, { request: whole, answer: structuredClone(answer) })
    if (this.lostAnswers.has(name)) return void request.socket.destroy()
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'request-id': `req_${++this.#made}`,
      date: new Date(this.now * 1000).toUTCString(),
    })
    response.end(JSON.stringify(answer.body))
  }

  #answer(method: string, path: string, given: Fields): Answer {
    for (const [route, allowed, work] of this.#routes) {
      const [wanted, pattern] = route.split(' ')
      const match = new RegExp(`^${pattern!.replace(/\{id\}/g, '([^/]+)')}$`).exec(path)
      if (wanted !== method || !match) continue
      const unknown = Object.keys(given).find((field) => !allowed.includes(field) && field !== 'expand')
      if (unknown) return refusal(400, 'invalid_request_error', `Received unknown parameter: ${unknown}`)
      const id = decodeURIComponent(match[1] ?? '')
      const customer = given['customer']
      if (customer !== undefined && !this.#has(String(customer)))
        return missing(400, `customer: '${String(customer)}'`, 'customer')
      if (id && !this.#has(id)) return missing(404, `object: '${id}'`, 'id')
      return work(given, id)
    }
    return refusal(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path})`)
  }

  #has = (id: string): boolean => this.objects.has(id) && !this.ofOtherKeys.has(id)
  #ok = (body: unknown): Answer => ({ status: 200, body })
  #found = (_: Fields, id: string): Answer => this.#ok(this.get(id))
  #listed =
    (prefix: string, by: string[]) =>
    (given: Fields): Answer => {
      const data = this.list(prefix).filter((row) =>
        by.every(
          (field) =>
            given[field] === undefined || (given[field] === 'all' && field === 'status') || row[field] === given[field],
        ),
      )
      return this.#ok({ object: 'list', data, has_more: false })
    }

  readonly #routes: [route: string, allowed: string[], work: (given: Fields, id: string) => Answer][] = [
    [
      'GET /v1/prices',
      ['lookup_keys', 'active', 'limit'],
      ({ lookup_keys }) => {
        const data = this.list('price').filter((price) =>
          (lookup_keys as string[]).includes(String(price['lookup_key'])),
        )
        return this.#ok({ object: 'list', data, has_more: false })
      },
    ],
    [
      'POST /v1/prices',
      ['product', 'currency', 'unit_amount', 'tax_behavior', 'lookup_key', 'transfer_lookup_key', 'recurring'],
      ({ transfer_lookup_key: transfers, ...given }) => {
        const before = this.list('price').find((each) => each['lookup_key'] === given['lookup_key'])
        if (before && transfers === 'true') before['lookup_key'] = null
        return this.#ok(this.#make('price', { ...given, unit_amount: Number(given['unit_amount']) }))
      },
    ],
    ['GET /v1/prices/{id}', [], this.#found],
    ['GET /v1/products/{id}', [], this.#found],
    ['POST /v1/products', ['id', 'name'], (given) => this.#ok(this.#make('prod', given))],
    [
      'POST /v1/customers',
      ['name', 'email', 'metadata'],
      (given) => this.#ok(this.#make('cus', { ...given, invoice_settings: { default_payment_method: null } })),
    ],
    ['GET /v1/customers/{id}', [], this.#found],
    [
      'POST /v1/checkout/sessions',
      [
        'customer',
        'client_reference_id',
        'metadata',
        'locale',
        'success_url',
        'cancel_url',
        'mode',
        'line_items',
        'subscription_data',
        'payment_intent_data',
        'payment_method_types',
      ],
      (given) => {
        const [line] = given['line_items'] as { price: string }[]
        const session = this.#make('cs', { ...given, status: 'open', payment_status: 'unpaid', currency: 'chf' })
        const amount_total = amountOf(this.get(line!.price))
        return this.#ok(
          Object.assign(session, {
            amount_total,
            url: this.elsewhere ?? `${this.url}/pay/${session.id}`,
            expires_at: this.now + 86_400,
          }),
        )
      },
    ],
    ['GET /v1/checkout/sessions/{id}', [], this.#found],
    ['GET /v1/checkout/sessions', ['customer', 'limit', 'status'], this.#listed('cs', ['customer', 'status'])],
    [
      'POST /v1/checkout/sessions/{id}/expire',
      [],
      (_, id) => {
        const session = this.get(id)
        if (session['status'] !== 'open') return refusal(400, 'invalid_request_error', 'It is not open.')
        session['status'] = 'expired'
        this.#tell('checkout.session.expired', session)
        return this.#ok(session)
      },
    ],
    ['GET /v1/subscriptions/{id}', [], this.#found],
    ['GET /v1/subscriptions', ['customer', 'limit', 'status'], this.#listed('sub', ['customer', 'status'])],
    [
      'POST /v1/subscriptions',
      ['customer', 'items', 'payment_behavior', 'metadata'],
      ({ customer, items, metadata }) => {
        if (!this.cardWorks) return refusal(402, 'card_error', 'Your card was declined.')
        const [item] = items as { price: string }[]
        return this.#ok(this.#subscribe(String(customer), item!.price, metadata as object))
      },
    ],
    [
      'POST /v1/subscriptions/{id}',
      ['items', 'proration_behavior', 'payment_behavior', 'cancel_at_period_end', 'metadata'],
      (given, id) => this.#update(given, this.get(id)),
    ],
    [
      'DELETE /v1/subscriptions/{id}',
      [],
      (_, id) => {
        this.#end(this.get(id))
        return this.#ok(this.get(id))
      },
    ],
    ['GET /v1/invoices/{id}', [], this.#found],
    [
      'POST /v1/invoices/{id}/void',
      [],
      (_, id) => {
        if (this.get(id)['status'] !== 'open') return refusal(400, 'invalid_request_error', 'It is not open.')
        return this.#ok(Object.assign(this.get(id), { status: 'void' }))
      },
    ],
    ['GET /v1/invoices', ['customer', 'limit', 'status'], this.#listed('in', ['customer', 'status'])],
    [
      'GET /v1/payment_intents/{id}',
      [],
      ({ expand }, id) => {
        const intent = this.get(id)
        const isWhole = (expand as string[] | undefined)?.includes('latest_charge')
        return this.#ok(isWhole ? { ...intent, latest_charge: this.get(String(intent['latest_charge'])) } : intent)
      },
    ],
    ['GET /v1/charges', ['customer', 'limit'], this.#listed('ch', ['customer'])],
    ['GET /v1/refunds', ['charge', 'limit'], this.#listed('re', ['charge'])],
    ['GET /v1/disputes', ['charge', 'limit'], this.#listed('dp', ['charge'])],
    [
      'POST /v1/subscription_schedules',
      ['from_subscription'],
      ({ from_subscription }) => {
        const subscription = this.get(String(from_subscription))
        const item = itemOf(subscription)
        if (subscription['schedule']) return refusal(400, 'invalid_request_error', 'It has a schedule already.')
        const { current_period_start: start_date, current_period_end: end_date, price } = item
        const phases = [{ items: [{ price: price.id, quantity: 1 }], start_date, end_date }]
        const schedule = this.#make('sub_sched', { subscription: subscription.id, phases })
        subscription['schedule'] = schedule.id
        return this.#ok(schedule)
      },
    ],
    [
      'POST /v1/subscription_schedules/{id}',
      ['end_behavior', 'phases'],
      (given, id) => this.#ok(Object.assign(this.get(id), given)),
    ],
    [
      'POST /v1/subscription_schedules/{id}/release',
      [],
      (_, id) => {
        this.get(String(this.get(id)['subscription']))['schedule'] = null
        return this.#ok(this.get(id))
      },
    ],
    [
      'POST /v1/billing_portal/sessions',
      ['customer', 'return_url', 'locale'],
      (given) => this.#ok(this.#make('bps', { ...given, url: this.elsewhere ?? `${this.url}/portal` })),
    ],
  ]

  #update(given: Fields, subscription: Row): Answer {
    const item = itemOf(subscription)
    const [wanted] = (given['items'] as { price: string }[] | undefined) ?? []
    if (wanted && wanted.price !== item.price.id) {
      if (!this.cardWorks) return refusal(402, 'card_error', 'Your card was declined.')
      const before = item.price
      const price = this.get(wanted.price)
      const left = (item.current_period_end - this.now) / (item.current_period_end - item.current_period_start)
      const credit = -Math.round(amountOf(before) * left)
      const isSame = intervalOf(before) === intervalOf(price)
      item.price = price
      if (!isSame) {
        item.current_period_start = this.now
        item.current_period_end = endOf(this.now, price)
      }
      const due = isSame ? Math.round(amountOf(price) * left) : amountOf(price)
      this.#invoice(subscription, [
        [credit, before, true],
        [due, price, isSame],
      ])
    }
    if (given['cancel_at_period_end'] !== undefined)
      subscription['cancel_at_period_end'] = given['cancel_at_period_end'] === 'true'
    Object.assign(subscription['metadata'] as object, given['metadata'])
    this.#tell('customer.subscription.updated', subscription)
    return this.#ok(subscription)
  }
}

type Fields = Record<string, unknown>
interface Item {
  price: Row
  current_period_start: number
  current_period_end: number
}

const itemOf = (subscription: Row) => (subscription['items'] as { data: Item[] }).data[0]!
const inOldForm = (subscription: Row) => ({
  ...subscription,
  items: { data: [{ ...itemOf(subscription), current_period_start: undefined, current_period_end: undefined }] },
})
const amountOf = (price: Row) => Number(price['unit_amount'])
const intervalOf = (price: Row) => (price['recurring'] as { interval: string }).interval

function endOf(start: number, price: Row): number {
  const length = intervalOf(price) === 'year' ? { years: 1 } : { months: 1 }
  const from = Temporal.Instant.fromEpochMilliseconds(start * 1000).toZonedDateTimeISO('UTC')
  return from.add(length).epochMilliseconds / 1000
}

const refusal = (status: number, type: string, message: string): Answer => ({
  status,
  body: { error: { type, message } },
})

const missing = (status: number, what: string, param: string): Answer => ({
  status,
  body: {
    error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}`, param },
  },
})

/** `items[0][price]=x` as nested objects and lists. */
function fieldsOf(form: string): Fields {
  const fields: Fields = {}
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.replaceAll(']', '').split('[')
    let at: Fields = fields
    for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Fields
    at[path.at(-1)!] = value
  }
  return listed(fields) as Fields
}

function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, listed(each)] as const)
  const isList = entries.length > 0 && entries.every(([name], n) => name === String(n))
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries)
}
