import { setTimeout as wait } from 'node:timers/promises';
import { createAdvertisement } from '#shared/ads/admin-contract.ts';
import { createAlert } from '#shared/alerts/admin-contract.ts';
import { updateCharity } from '#shared/charities/admin-contract.ts';
import { createCharity } from '#shared/charities/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import { createDog } from '#shared/dogs/contract.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import { createLocation, createTip, createVisit } from '#shared/locations/contract.ts';
import type { WalkLocation } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { passGate, signIn, type Visitor } from '../session/api-session.ts';
import { planWalks } from './planned-walks.ts';
import {
  CHARITIES,
  DOG_NAMES,
  FIRST_NAMES,
  HOUSE_ADS,
  LAST_NAMES,
  MESSAGES,
  PLACES,
  TIPS,
} from './sample-data.ts';
import { createRandom, idFor } from './seeded-random.ts';

export interface TownSettings {
  /** Without a slash at the end. */
  origin: string;
  owners: number;
  seed: number;
  /** The center of the town. */
  at: Place;
  log: (line: string) => void;
}

/** Returns the email address of an owner, for the sandbox sign-in. */
const emailOf = (seed: number, index: number) => `owner-${seed}-${index + 1}@example.com`;

/**
 * Creates a town through the API, as its users would. The idempotency keys of the calls depend on the seed, so a second run within
 * a month adds nothing.
 */
export async function seedTown({ origin, owners, seed, at, log }: TownSettings): Promise<void> {
  const key = (purpose: string) => idFor(seed, purpose);
  const random = createRandom(seed, 'town');
  const near = (): Place => ({
    latitude: at.latitude + (random.uniform() - 0.5) * 0.06,
    longitude: at.longitude + (random.uniform() - 0.5) * 0.08,
  });

  const people: Visitor[] = [];
  for (let i = 0; i < owners; i++) {
    const person = await withRetry(() => signIn(origin, emailOf(seed, i)));
    if (!person.user.has_access) await withRetry(() => passGate(origin, person));
    const body = {
      display_name: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
      is_location_sharing_enabled: random.chance(0.7),
    };
    await withRetry(() => person.call(saveProfile, { body, idempotencyKey: key(`profile ${i}`) }));
    for (let n = random.integer(1, 2); n > 0; n--) {
      const dog = {
        name: random.pick(DOG_NAMES),
        sound_type: random.chance(0.35) ? ('leash_on' as const) : ('leash_off' as const),
      };
      const idempotencyKey = key(`dog ${i} ${n}`);
      await withRetry(() => person.call(createDog, { body: dog, idempotencyKey }));
    }
    people.push(person);
  }
  log(`Added ${owners} owners with dogs`);

  let messages = 0;
  const friendships: [Visitor, Visitor][] = [];
  for (const [i, person] of people.entries())
    for (const step of [1, 3]) {
      const friend = people[(i + step) % people.length];
      if (!friend || friend === person) continue;
      const ask = (from: Visitor, to: Visitor) =>
        withRetry(() =>
          from.call(createFriendRequest, {
            body: { receiver_user_id: to.user.id },
            idempotencyKey: key(`ask ${i} ${step} ${from === person}`),
          }),
        );
      await ask(person, friend);
      // Some requests stay unanswered.
      if (!random.chance(0.8)) continue;
      await ask(friend, person);
      friendships.push([person, friend]);
      for (let n = random.integer(0, MESSAGES.length); n > 0; n--, messages++) {
        const [from, to] = n % 2 === 0 ? [person, friend] : [friend, person];
        const body = {
          receiver_user_id: to.user.id,
          message_text: MESSAGES[MESSAGES.length - n] ?? random.pick(MESSAGES),
        };
        const idempotencyKey = key(`message ${i} ${step} ${n}`);
        await withRetry(() => from.call(sendMessage, { body, idempotencyKey }));
      }
    }
  log(`Added friends, requests and ${messages} messages`);

  const locations: WalkLocation[] = [];
  for (const [n, [name, location_type, description]] of PLACES.entries()) {
    const place = {
      name,
      location_type,
      description,
      ...near(),
      address: `${random.integer(1, 200)} ${name} Road`,
      leash_required: random.chance(0.4),
      parking_available: random.chance(0.6),
      water_available: random.chance(0.5),
      restrooms_available: random.chance(0.3),
      confirm_new: true,
    };
    const by = random.pick(people);
    const { location } = await withRetry(() =>
      by.call(createLocation, { body: place, idempotencyKey: key(`place ${n}`) }),
    );
    const location_id = location.id;
    locations.push(location);
    for (let t = random.integer(1, TIPS.length) - 1; t >= 0; t--) {
      const [tip_type, title, content] = TIPS[t] ?? TIPS[0];
      const body = { location_id, tip_type, title, content };
      const idempotencyKey = key(`tip ${n} ${t}`);
      await withRetry(() => random.pick(people).call(createTip, { body, idempotencyKey }));
    }
    for (const [i, visitor] of people.entries())
      if (random.chance(0.3)) {
        const body = { location_id, rating: random.integer(3, 5) };
        const idempotencyKey = key(`visit ${n} ${i}`);
        await withRetry(() => visitor.call(createVisit, { body, idempotencyKey }));
      }
  }
  log(`Added ${PLACES.length} places with tips and visits`);

  const walks = await planWalks({ seed, people, friendships, places: locations, retry: withRetry });
  log(`Added ${walks} planned walks`);

  const admin = await withRetry(() => signIn(origin, 'admin@example.com'));
  for (const [n, [charity_name, description]] of CHARITIES.entries()) {
    const { charity } = await withRetry(() =>
      random.pick(people).call(createCharity, {
        body: {
          charity_name,
          description,
          contact_name: random.pick(FIRST_NAMES),
          contact_email: `charity-${seed}-${n + 1}@example.com`,
          payment_link: `https://example.com/give/${n + 1}`,
          website_url: `https://example.com/charity/${n + 1}`,
          city: 'Springfield',
          state: 'Oregon',
        },
        idempotencyKey: key(`charity ${n}`),
      }),
    );
    // One charity stays unverified.
    if (n < CHARITIES.length - 1)
      await withRetry(() =>
        admin.call(updateCharity, { params: { id: charity.id }, body: { is_verified: true } }),
      );
  }
  for (const [n, [title, description, placement]] of HOUSE_ADS.entries()) {
    const body = { title, description, placement, target_url: `https://example.com/ad/${n + 1}` };
    await withRetry(() =>
      admin.call(createAdvertisement, { body, idempotencyKey: key(`ad ${n}`) }),
    );
  }
  await withRetry(() =>
    admin.call(createAlert, {
      body: {
        alert_type: 'weather',
        severity: 'moderate',
        title: 'Heat in the afternoon',
        description: 'Pavement gets too hot for paws between noon and five.',
        instructions: 'Walk early or late, and carry water.',
        affected_latitude: at.latitude,
        affected_longitude: at.longitude,
        radius_miles: 10,
      },
      idempotencyKey: key('alert'),
    }),
  );
  log(`Added ${CHARITIES.length} charities, ${HOUSE_ADS.length} ads and an alert`);
}

/** Repeats a call while it is rate limited. */
async function withRetry<A>(call: () => Promise<A>): Promise<A> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 429) throw error;
      await wait((error.retryAfter ?? 1) * 1000);
    }
  }
}
