import { Agent, request, type ClientRequest } from 'node:http';
import { events, serverEvent } from '#shared/events/contract.ts';
import { METERS_PER_DEGREE } from '#shared/place.ts';
import { dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { each } from './each.ts';
import type { Owner } from './owners.ts';

const TOWN = { latitude: 51.4, longitude: -0.3 };
/** Two walkers of a street walk towards each other, meet, and turn around at its ends. */
const STREET_METERS = 300;
const STREETS_PER_ROW = 30;
const BETWEEN_STREETS_METERS = 200;
const WALKING_SPEED = 1.4;
const WALK_MS = (STREET_METERS / WALKING_SPEED) * 1000;

/** Owners who walk: they report their positions, and are warned of each other over event streams. */
export class Walkers {
  readonly #owners: readonly Owner[];
  readonly #streams: ClientRequest[] = [];
  #warnings: number[] = [];

  private constructor(owners: readonly Owner[]) {
    this.#owners = owners;
  }

  /** Opens the event stream of each owner. */
  static async start(owners: readonly Owner[], interrupted: AbortSignal): Promise<Walkers> {
    const walkers = new Walkers(owners);
    const agent = new Agent();
    await each(
      owners,
      async (owner) => {
        const stream = await openStream(owner, agent, (text) => walkers.#receive(text));
        walkers.#streams.push(stream);
      },
      interrupted,
    );
    return walkers;
  }

  /** Reports the position of a walker, by its number. */
  async report(walker: number): Promise<void> {
    await this.#owners[walker]!.send('POST', pathOf(reportLocation), positionOf(walker));
  }

  /** Ends the walks of the first ones. Of those who only fell silent, the product would tell their owners within two minutes. */
  async end(walkers: number, interrupted: AbortSignal): Promise<void> {
    const walking = this.#owners.slice(0, walkers);
    await each(
      walking,
      async (owner) => void (await owner.send('DELETE', pathOf(dropLocation))),
      interrupted,
    );
  }

  /** Returns how long the warnings since the last call took, in ms from the position that caused them. */
  takeWarnings(): number[] {
    const taken = this.#warnings;
    this.#warnings = [];
    return taken;
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #receive(text: string): void {
    const event = serverEvent.parse(JSON.parse(text));
    if (event.type === 'encounter')
      this.#warnings.push(Date.now() - Date.parse(event.triggered_at));
  }
}

/** Where a walker is now. */
function positionOf(walker: number) {
  const street = Math.floor(walker / 2);
  // Each street at another moment of the walk: people don't meet in lockstep.
  const moment = (Date.now() / WALK_MS + street * 0.618) % 2;
  const share = moment < 1 ? moment : 2 - moment;
  const along = (walker % 2 === 0 ? share : 1 - share) * STREET_METERS;
  const [row, column] = [Math.floor(street / STREETS_PER_ROW), street % STREETS_PER_ROW];
  const north = row * (STREET_METERS + BETWEEN_STREETS_METERS) + along;
  const east = column * BETWEEN_STREETS_METERS;
  return {
    latitude: TOWN.latitude + north / METERS_PER_DEGREE,
    longitude:
      TOWN.longitude + east / (METERS_PER_DEGREE * Math.cos((TOWN.latitude * Math.PI) / 180)),
    accuracy: 8,
    speed: WALKING_SPEED,
  };
}

/** Opens an event stream. @returns when its first line has arrived. @throws unless the status is 200 */
export function openStream(
  { origin, headers }: Owner,
  agent: Agent,
  receive: (text: string) => void,
): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const stream = request(`${origin}${pathOf(events)}`, { agent, headers: headers() });
    stream.on('error', reject);
    stream.on('response', (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`The event stream was refused with ${response.statusCode}`));
      let unread = '';
      // An end shows as missing warnings.
      response.on('error', () => {});
      response.setEncoding('utf8').on('data', (part: string) => {
        resolve(stream);
        const lines = (unread + part).split('\n');
        unread = lines.pop() ?? '';
        for (const line of lines)
          if (line.startsWith('data:') && line.length > 'data:'.length + 1)
            receive(line.slice('data:'.length));
      });
    });
    stream.end();
  });
}
