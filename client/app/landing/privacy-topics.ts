export interface PrivacyTopic {
  title: string;
  /** What is stored, and why. */
  what: string;
  seenBy: string;
  stored: string;
  /** The rows of docs/privacy.md that it describes; a test compares them with it. */
  collections: readonly string[];
}

/** The collections of docs/privacy.md in plain words, most personal first. */
export const PRIVACY_TOPICS: readonly PrivacyTopic[] = [
  {
    title: 'Your location',
    what: 'Your latest position while you share it, and which of your dogs are with you, to warn you and the people near you.',
    seenBy:
      'No one. Others get a rounded distance and, within 100 feet while you both walk, on which side you are and when you meet; never a place.',
    stored: 'Until 120 seconds after the last report, and up to a minute longer.',
    collections: ['positions'],
  },
  {
    title: 'People you meet',
    what: 'Whom you met, when, how near and what you answered by one tap, for the friendly index and your list of people met. Never where.',
    seenBy:
      'You see your own times and distances, and for 24 hours whom you met. Others see scores only.',
    stored:
      '30 days. On which days two people met: 365 days after the last one. Which strangers you were shown from farther away: 2 hours.',
    collections: ['proximity_events', 'acquaintances', 'stranger_sightings'],
  },
  {
    title: 'How many walk in a town',
    what: 'That somebody walked in your town in a week, as a code that names no one.',
    seenBy: 'Everyone, as last week’s number in steps from 5.',
    stored: '21 days.',
    collections: ['town_walkers'],
  },
  {
    title: 'Your account',
    what: 'Your name, email address and photo from the sign-in provider; your signed-in devices, with browser, system and times.',
    seenBy: 'You; administrators see names, addresses and access.',
    stored:
      'Until you delete your account. A session ends after 30 days without use, and after 90 days at most (12 hours for administrators), and is deleted 1 day later. Sessions of a deleted account stay 90 days without your id.',
    collections: ['users', 'sessions'],
  },
  {
    title: 'Your profile and dogs',
    what: 'Your display name, your dogs with breed, size, coat, year of birth and notes, photos, your own alert sounds, settings and drafts.',
    seenBy:
      'You. Friends, people nearby and members who open your profile see your name, your dogs and their photos; people you blocked don’t, though a former friend sees them as they were for up to an hour.',
    stored:
      'Until you delete your account. Copies for friends: until the friendship ends; for someone you blocked, up to 60 minutes longer. Unused photos: 1 day. Recordings: as long as the sound.',
    collections: [
      'cards',
      'documents',
      'document_log',
      'document_quarantine',
      'images.files',
      'images.chunks',
      'sounds.files',
      'sounds.chunks',
    ],
  },
  {
    title: 'Friends and blocks',
    what: 'Your friends, friend requests with their message, the code of your QR code, and blocks with their reason.',
    seenBy:
      'Each of the two sees their own side. Everyone who has your QR code or its link can open your profile.',
    stored:
      'Until one of the two accounts is deleted. After a block, your card of that moment for 24 hours, and the former relationship for 60 minutes.',
    collections: ['pairs', 'friend_links'],
  },
  {
    title: 'Messages',
    what: 'Texts, photos, voice notes and shared places, with their times; texts that you haven’t sent yet.',
    seenBy:
      'The two of you; a moderator, if a rule or a report concerns the message. What you haven’t sent: only you.',
    stored:
      'Until one of you deletes the account or blocks the other; for a blocked friend up to 60 minutes longer. Who talks to whom: 10 minutes after the end.',
    collections: ['messages', 'threads', 'drafts'],
  },
  {
    title: 'Planned walks',
    what: 'When and where you plan to walk, with your note, the friends you invite and their answers.',
    seenBy: 'You and the friends you invite, until you unfriend or block them.',
    stored: '3 days after the start of the walk, or until you delete your account.',
    collections: ['planned_walks'],
  },
  {
    title: 'Places and hazards',
    what: 'Places, tips, photos, visits and ratings that you add; hazards and lost dogs that you report, confirm or deny; reports about places.',
    seenBy:
      'Members see places and tips with who added them, and hazards without. Others see totals of your visits only. Administrators see reports.',
    stored:
      'Until you delete your account; a public place that others use stays, without your name. Coordinates of a visit: 30 days. Hazards: 7 days after they expire. Reports: 180 days after the decision. A place that is being added: 10 seconds at most.',
    collections: [
      'locations',
      'location_visits',
      'location_tips',
      'location_photos',
      'location_claims',
      'location_reports',
      'hazards',
    ],
  },
  {
    title: 'Alerts, weather and search',
    what: 'Which alerts you have seen. The areas for which weather was requested, and searched addresses as a hash, both without a user.',
    seenBy: 'You see your own alerts. No one sees the rest.',
    stored:
      'Alerts: 1 day after their end. Areas of weather: 60 minutes; of the weather service: 1 day. Results of searches: 30 days.',
    collections: [
      'emergency_alerts',
      'emergency_alert_acknowledgements',
      'nws_cells',
      'weather_readings',
      'geocoder_results',
    ],
  },
  {
    title: 'Notifications',
    what: 'Your browser’s address at its push service, and when the app was on the screen. Content is encrypted for your device.',
    seenBy: 'No one.',
    stored:
      'Until you sign out or turn notifications off; 1 day after the end of the session. What is waiting: until it’s sent, or 1 day; that it was sent: 7 days.',
    collections: ['push_subscriptions', 'push_queue'],
  },
  {
    title: 'Activity',
    what: 'What we told you in the app: what it’s about, and whether you’ve read it.',
    seenBy: 'Only you.',
    stored: '30 days.',
    collections: ['activities'],
  },
  {
    title: 'Reports and moderation',
    what: 'Reports with the messages, names and photos they’re about, decisions, appeals, and what administrators did.',
    seenBy: 'Administrators. You see your own reports, and decisions about you.',
    stored:
      'Reports, decisions and what administrators did: 730 days after the decision or their end. The log of word rules: 180 days. A suspension, as a hash of the sign-in identity, until it ends; a termination forever.',
    collections: [
      'message_reports',
      'report_evidence',
      'removed_message_hashes',
      'moderation_log',
      'user_warnings',
      'bans',
      'audit_log',
      'admin_saved',
    ],
  },
  {
    title: 'Access codes and donations',
    what: 'Which code you used and from which IP address; a donation with email address, IP address and browser. We never see your card number.',
    seenBy: 'You see your donation; administrators see all of them.',
    stored:
      'IP addresses and browsers: 90 days. The donor: 2555 days, for the books; the amount forever. Which code you used: until you delete your account. Codes of invitations: 35 days after they expire. Notes that an email was sent or a payment event was processed: 60 days.',
    collections: [
      'access_codes',
      'access_emails',
      'access_code_uses',
      'access_grants',
      'donations',
      'payment_tokens',
      'payment_events',
    ],
  },
  {
    title: 'Invitations and emails',
    what: 'Email addresses and phone numbers of people you invite, with your message, and the emails and text messages we send.',
    seenBy: 'You see your own invitations.',
    stored:
      'The address: until they join, or 90 days. A waiting message: 7 days at most; whether it was sent: 60 days. That an address doesn’t want invitations, as a hash: forever.',
    collections: ['referrals', 'search_invitations', 'outbox', 'opt_outs'],
  },
  {
    title: 'Charities',
    what: 'Contacts of charities, who suggested one, and on which day you opened its donation page.',
    seenBy:
      'Administrators see contacts and totals. Everybody sees the page of a verified charity without its contact; members also see its phone number.',
    stored:
      'Contacts: while the charity is listed; 365 days for an application that isn’t approved. Opened donation pages: 730 days, then without you.',
    collections: ['charities', 'charity_donations', 'charity_emails'],
  },
  {
    title: 'Ads and advertisers',
    what: 'Ads are chosen by the place you search, not by who you are. We count views by a hash that changes daily, and clicks. Of advertisers we store contact, company, ads and payments.',
    seenBy:
      'No one sees who viewed or clicked. Advertisers get totals, never names or positions; they and administrators see their own contact and payments.',
    stored:
      'Views: 30 days. Clicks: 30 days, then without you. Unpaid ads and advertisers without ads: 30 days. Advertisers: 2555 days after the last purchase. Paid ads and payments stay for the books, without IP address and browser after 90 days. Emails we sent: 730 days; links in them: 60 days.',
    collections: [
      'advertisers',
      'advertiser_dashboards',
      'advertiser_emails',
      'advertisement_bookings',
      'business_listings',
      'ad_payments',
      'ad_impressions',
      'ad_clicks',
      'ad_days',
    ],
  },
  {
    title: 'Running the service',
    what: 'Answers to repeated requests, counters against abuse by user or network, and the ids of data that changed. Logs have the user’s id and the route of a call, but no content and no IP address.',
    seenBy: 'You see your own answers. Operators see the logs.',
    stored:
      'Answers: 30 days. Counters: until their time is over, at most 30 days. Hashes of deleted accounts and messages: 90 days, so that no backup brings them back. Messages of a trial without real providers: 30 days.',
    collections: [
      'idempotency_keys',
      'rate_limits',
      'signals',
      'leases',
      'nodes',
      'deletions',
      'sandbox_sent',
      'sandbox_sign_in_codes',
    ],
  },
];

/** Where personal data is outside the database, as in docs/privacy.md. */
export const PRIVACY_ELSEWHERE = [
  [
    'Your walks, on your device only',
    'Start, end, distance and route of your walks without quiet places, your photo and note, and names and dogs of people you met. Nobody else gets them. They stay until you delete them, log out (unless you keep them on the device) or end your account, or 7 days after the session ended otherwise; names for 30 days, except of people you walked with.',
  ],
  [
    'Other data on your device',
    'Your documents and friends’ cards, so that the app works offline, and what you attached to a message and didn’t send, until you sign out. What wasn’t sent when a session ended otherwise stays for 7 days.',
  ],
  [
    'Other services',
    'Sign-in, payment, email, text message, weather, map, address search and push services get what each needs for its task. Weather and address search don’t learn who asks; a push service gets encrypted content.',
  ],
  [
    'Backups',
    'Everything above, encrypted, for at most 90 days. What you delete is deleted again if a backup is restored.',
  ],
] as const;
