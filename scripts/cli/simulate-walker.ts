import { parseArgs } from 'node:util';
import { validateCode } from '#shared/access-gate/contract.ts';
import { createDog, deleteDog, listDogs, soundType, updateDog } from '#shared/dogs/contract.ts';
import { latitude, longitude, metersBetween, type Place } from '#shared/place.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { dropLocation, reportLocation, type NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import { CallError } from '../../client/http/api-client.ts';
import type { ServerEvent } from '#shared/events/contract.ts';
import { Events } from '../../client/events/events.ts';
import { Tracker } from '../../client/proximity/tracking/tracker.ts';
import { parseCliArgs } from './parse-cli-args.ts';
import { passGate, requireRunning, signIn, type Visitor } from './api-session.ts';

const USAGE = `Somebody with a dog walks up to a position, past it and away, so that one person alone can hear the alert.

  npm run walk -- --to LATITUDE,LONGITUDE [options]

  --to           where you are: the position of the browser that shall warn you
  --dog          the dog's name (Rex)
  --type         leash_on or leash_off (leash_on)
  --name         the walker's name (Walker)
  --speed        meters per second (1.4)
  --from-meters  how far away to begin (120)
  --origin       where Leashwise runs (http://localhost:3000)
  --code         an access code for the walker; without it the stand-in's admin makes one`;

const EMAIL = 'walker@example.com';
const METERS_PER_DEGREE = 111_318.845;
/** The walker passes so far to the side, and goes on until so far beyond the circle. */
const ASIDE_METERS = 3;
const BEYOND_METERS = RADIUS_METERS + 20;

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

function readOptions(args: string[]): Options {
  const values = parseCliArgs(
    USAGE,
    () =>
      parseArgs({
        args,
        options: {
          to: { type: 'string' },
          dog: { type: 'string', default: 'Rex' },
          type: { type: 'string', default: 'leash_on' },
          name: { type: 'string', default: 'Walker' },
          speed: { type: 'string', default: '1.4' },
          'from-meters': { type: 'string', default: '120' },
          origin: { type: 'string', default: 'http://localhost:3000' },
          code: { type: 'string' },
          help: { type: 'boolean', default: false },
        },
      }).values,
  );
  const [north, east, ...rest] = (values.to ?? '').split(',').map((part) => part.trim());
  if (!north || !east || rest.length > 0) throw new Error('--to needs a latitude and a longitude');
  const number = (name: string, text: string, most: number) => {
    const value = Number(text);
    if (!(value > 0 && value <= most))
      throw new Error(`--${name} must be above 0, at most ${most}`);
    return value;
  };
  const type = soundType.safeParse(values.type);
  if (!type.success) throw new Error('--type must be leash_on or leash_off');
  return {
    to: { latitude: latitude.parse(Number(north)), longitude: longitude.parse(Number(east)) },
    dog: values.dog,
    type: type.data,
    name: values.name,
    speed: number('speed', values.speed, 7),
    fromMeters: number('from-meters', values['from-meters'], 5000),
    origin: values.origin.replace(/\/$/, ''),
    code: values.code,
  };
}

const say = (text: string) => console.log(`${new Date().toLocaleTimeString('en-GB')}  ${text}`);

/** The walker as a member: past the gate, with a profile that shares its position, and one dog. */
async function getReady(options: Options): Promise<Visitor> {
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

const described = ({ display_name, distance_feet, dogs }: NearbyUser): string => {
  const names = dogs.map(({ name, sound_type }) => `${name} (${sound_type})`).join(', ');
  return `${display_name}, ${distance_feet} feet away, with ${names || 'no dog'}`;
};

async function walk(options: Options): Promise<void> {
  const walker = await getReady(options);
  const beganAt = Date.now();
  /** How far the walker is past the closest point; negative on the way there. */
  const gone = () => ((Date.now() - beganAt) / 1000) * options.speed - options.fromMeters;
  const place = (): Place => ({
    latitude: options.to.latitude + gone() / METERS_PER_DEGREE,
    longitude:
      options.to.longitude +
      ASIDE_METERS /
        METERS_PER_DEGREE /
        Math.max(0.01, Math.cos((options.to.latitude * Math.PI) / 180)),
  });
  const warnedOf = new Set<string>();
  let isOver = false;

  const told = (event: ServerEvent) => {
    if (event.type !== 'encounter') return;
    warnedOf.add(event.user.display_name);
    say(`BOTH WARNED: ${options.name} of ${described(event.user)}; and they of ${options.dog}.`);
  };
  const events = new Events({
    onEvent(event) {
      told(event);
      if (event.type === 'cadence') tracker.cadence(event.next_update_seconds);
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
      const meters = Math.round(metersBetween(place(), options.to));
      const near = nearbyUsers.map(described).join('; ') || 'nobody near';
      say(`${meters} m from the position: ${near}. Reports again in ${next_update_seconds} s.`);
    },
    failed(error) {
      say(error instanceof Error ? error.message : String(error));
      return error instanceof CallError ? error.retryAfter : null;
    },
    changed() {},
  });

  say(
    `${options.name} and ${options.dog} (${options.type}) set out ${options.fromMeters} m south of ` +
      `${options.to.latitude},${options.to.longitude}, at ${options.speed} m/s.`,
  );
  tracker.start();
  const stop = () => {
    isOver = true;
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  while (!isOver && gone() < BEYOND_METERS) {
    tracker.fix({ ...place(), accuracy: 3, speed: options.speed, heading: 0, at: Date.now() });
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  tracker.stop();
  events.close();
  await walker.call(dropLocation);
  say(
    warnedOf.size > 0
      ? `Past and away. Met: ${[...warnedOf].join(', ')}. The walker's position is gone.`
      : 'Past and away, and met nobody. Is the app open at that position, with location sharing on?',
  );
}

try {
  await walk(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
