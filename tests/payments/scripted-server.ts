import type { Endpoint } from '#shared/endpoint.ts';
import type { call } from '../../client/http/api.ts';
import { CallError } from '../../client/http/api-client.ts';

type Answer = object | CallError;

/** A server that says what it is told to, in order; the last answer to a call stays. */
export class ScriptedServer {
  readonly asked: Endpoint[] = [];
  readonly #answers = new Map<Endpoint, Answer[]>();

  says(endpoint: Endpoint, ...said: Answer[]): void {
    this.#answers.set(endpoint, said);
  }

  /** Asks it, in place of the real one. */
  readonly call = (async (endpoint: Endpoint) => {
    this.asked.push(endpoint);
    const said = this.#answers.get(endpoint) ?? [];
    const answer = said.length > 1 ? said.shift() : said[0];
    if (!answer) throw new Error(`nobody asked for ${endpoint.path}`);
    if (answer instanceof CallError) throw answer;
    return answer;
  }) as unknown as typeof call;
}
