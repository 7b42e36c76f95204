import type { Endpoint } from '#shared/endpoint.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import type { call } from '../../client/platform/http/api.ts';

type Answer = object | CallError;

/** A server with scripted responses. The last response to a call repeats. */
export class ScriptedServer {
  readonly asked: Endpoint[] = [];
  readonly #answers = new Map<Endpoint, Answer[]>();

  says(endpoint: Endpoint, ...said: Answer[]): void {
    this.#answers.set(endpoint, said);
  }

  /** Replaces `call` of the client. */
  readonly call = (async (endpoint: Endpoint) => {
    this.asked.push(endpoint);
    const said = this.#answers.get(endpoint) ?? [];
    const answer = said.length > 1 ? said.shift() : said[0];
    if (!answer) throw new Error(`no response for ${endpoint.path}`);
    if (answer instanceof CallError) throw answer;
    return answer;
  }) as unknown as typeof call;
}
