/** Where a reader derived from a contract may differ from the one written by hand: `<operation> <path>`, and why. */
export const accepted: [RegExp, string][] = [
  [
    /^(POST|PUT|DELETE) \/api\/deals(\/\{deal_id\}(\/(pause|resume|restore|duplicate))?|\/duplicate)? /,
    'read by `saved`',
  ],
  [/^GET \/api\/auth\/challenge /, 'read as any object'],
  [/^POST \/api\/business\/upgrade /, 'read by `upgraded`'],
  [/^PUT \/api\/business\/\{business_id\} /, '`accepted`'],
  [/^POST \/api\/(newsletter|auth\/forgot|auth\/verify\/resend|me\/email) /, 'nobody looks at the message'],
  [/^POST \/api\/payments\/(create-promo|portal)-session /, 'an empty address instead of null'],
  [/^POST \/api\/admin\/(reports|suspensions)/, 'staff get the whole decision or none'],
  [/server_now$|undid\.at$/, 'an instant that no clock tells is none'],
  [
    /^\w+ \/api\/payments\/\S+ \.status$|userType$|preview \.lang$|appeals \[\]\.lang$/,
    'a value that nobody knows is none',
  ],
  [
    /\.credits\.\w+\[\]\.href$|\[\]\.(figures|uses_place|paused_by_plan|hidden_with_merchant|hidden_reason)$/,
    'optional: left out',
  ],
  [
    /\.(email|requested_tier|logo_url|logo_image|description|suspended_at|suspended_reason|businessId)$/,
    'optional: left out',
  ],
  [/\.refreshToken$|exchange \.next$|^POST \/api\/auth\/reset \(whole\)$/, 'empty instead of null'],
  [/^GET \/api\/forum\/moderation\/appeals \[\]\.content$/, 'null where nothing can be read, as in its shape'],
  [/^GET \/api\/forum\/moderation\/log /, 'a closed appeal is known now'],
  [/^GET \/api\/deals\/search\?view=map /, 'the row as the specification names it becomes a pin in `pinOf`'],
]
