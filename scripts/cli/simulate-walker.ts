import { z } from 'zod';
import { validateCode } from '#shared/access-gate/contract.ts';
import { createDog, deleteDog, listDogs, soundType, updateDog } from '#shared/dogs/contract.ts';
import {
  latitude,
  longitude,
  METERS_PER_DEGREE,
  metersBetween,
  radians,
  type Place,
} from '#shared/place.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { dropLocation, reportLocation, type NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import { Tracker } from '../../client/features/proximity/tracking/tracker.ts';
import { Events } from '../../client/platform/events/events.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { passGate, requireRunning, signIn, type Visitor } from '../session/api-session.ts';
import { parseCliArgs } from './parse-cli-args.ts';

const HELP = `Simulates a walker with a dog who passes a position, so that you can try a warning on your own.

  npm run walk -- --to LATITUDE,LONGITUDE [options]

  --to           the position of the browser that should warn you
  --dog          the dog's name (Rex)
  --type         leash_on or leash_off (leash_on)
  --name         the walker's name (Walker)
  --speed        in meters per second (1.4)
  --from-meters  distance at the start (120)
  --origin       the address of Leashwise (http://localhost:3000)
  --code         an access code for the walker; by default, the sandbox admin creates one`;

const place = z.object({ latitude, longitude });
const EMAIL = 'walker@example.com';
/** The walker passes the position at this distance. */
const SIDE_METERS = 3;
/** The walk ends at this distance. */
const END_METERS = RADIUS_METERS + 20;

interface Options {
  to: Place;
  dog: string;
  type: 'leash_on' | 'leash_off';
  name: string;
  speed: number;
  fromMeters: number;
  origin: string;
  code: string | undefined;
}

const readOptions = (): Options =>
  parseCliArgs(
    HELP,
    {
      to: { type: 'string' },
      dog: { type: 'string', default: 'Rex' },
      type: { type: 'string', default: 'leash_on' },
      name: { type: 'string', default: 'Walker' },
      speed: { type: 'string', default: '1.4' },
      'from-meters': { type: 'string', default: '120' },
      code: { type: 'string' },
    },
    (values, origin) => {
      const [north, east, ...rest] = (values.to ?? '').split(',').map((part) => part.trim());
      const to = place.safeParse({
        latitude: Number(north || NaN),
        longitude: Number(east || NaN),
      });
      if (!to.success || rest.length > 0) throw new Error('--to must be LATITUDE,LONGITUDE');
      const type = soundType.safeParse(values.type);
      if (!type.success) throw new Error('--type must be leash_on or leash_off');
      const number = (name: 'speed' | 'from-meters', max: number) => {
        const value = Number(values[name]);
        if (!(value > 0 && value <= max))
          throw new Error(`--${name} must be above 0, at most ${max}`);
        return value;
      };
      return {
        to: to.data,
        dog: values.dog,
        type: type.data,
        name: values.name,
        speed: number('speed', 7),
        fromMeters: number('from-meters', 5000),
        origin,
        code: values.code,
      };
    },
  );

const log = (text: string) => console.log(`${new Date().toLocaleTimeString('en-US')}  ${text}`);

/** Signs the walker in, and creates a profile that shares its position, with one dog. */
async function signInWalker(options: Options): Promise<Visitor> {
  await requireRunning(options.origin);
  const walker = await signIn(options.origin, EMAIL);
  if (options.code) await walker.call(validateCode, { body: { code: options.code } });
  else if (!walker.user.has_access) await passGate(options.origin, walker);
  await walker.call(saveProfile, {
    body: { display_name: options.name, is_location_sharing_enabled: true },
  });
  const body = { name: options.dog, sound_type: options.type };
  const [first, ...others] = (await walker.call(listDogs)).dogs;
  for (const other of others) await walker.call(deleteDog, { params: { id: other.id } });
  if (first) await walker.call(updateDog, { params: { id: first.id }, body });
  else await walker.call(createDog, { body });
  return walker;
}

const describe = ({ display_name, distance_feet, dogs }: NearbyUser): string => {
  const names = dogs.map(({ name, sound_type }) => `${name} (${sound_type})`).join(', ');
  return `${display_name}, ${distance_feet} feet away, with ${names || 'no dog'}`;
};

async function walk(options: Options): Promise<void> {
  const walker = await signInWalker(options);
  const startedAt = Date.now();
  /** Returns the meters past the closest point; negative before it. */
  const metersPast = () => ((Date.now() - startedAt) / 1000) * options.speed - options.fromMeters;
  const position = (): Place => ({
    latitude: options.to.latitude + metersPast() / METERS_PER_DEGREE,
    longitude:
      options.to.longitude +
      SIDE_METERS / METERS_PER_DEGREE / Math.max(0.01, Math.cos(radians(options.to.latitude))),
  });
  const warnedOf = new Set<string>();
  let isStopped = false;

  const events = new Events({
    onEvent(event) {
      if (event.type === 'cadence') tracker.cadence(event.next_update_seconds);
      if (event.type !== 'encounter') return;
      warnedOf.add(event.user.display_name);
      log(
        `BOTH WARNED: ${options.name} about ${describe(event.user)}, and they about ${options.dog}.`,
      );
    },
    fetch: (path, init) =>
      fetch(`${options.origin}${path as string}`, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), cookie: walker.jar.header },
      }),
  });
  const tracker: Tracker = new Tracker({
    now: Date.now,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
    post: (body, signal) => walker.call(reportLocation, { body, signal }),
    isQuiet: () => false,
    drop: async () => {},
    requestFix() {},
    answered({ nearbyUsers, next_update_seconds }) {
      const meters = Math.round(metersBetween(position(), options.to));
      const near = nearbyUsers.map(describe).join('; ') || 'no one nearby';
      log(`${meters} m from the position: ${near}. Next report in ${next_update_seconds} s.`);
    },
    failed(error) {
      log(error instanceof Error ? error.message : String(error));
      return error instanceof CallError ? error.retryAfter : null;
    },
    changed() {},
  });

  log(
    `${options.name} and ${options.dog} (${options.type}) start ${options.fromMeters} m south of ` +
      `${options.to.latitude},${options.to.longitude} at ${options.speed} m/s.`,
  );
  tracker.start();
  const stop = () => {
    isStopped = true;
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  while (!isStopped && metersPast() < END_METERS) {
    tracker.fix({ ...position(), accuracy: 3, speed: options.speed, heading: 0, at: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  tracker.stop();
  events.close();
  await walker.call(dropLocation);
  log(
    warnedOf.size > 0
      ? `Done. Met ${[...warnedOf].join(', ')}. The walker no longer shares a position.`
      : 'Done, but met no one. Is the app open at that position, with location sharing on?',
  );
}

try {
  await walk(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
