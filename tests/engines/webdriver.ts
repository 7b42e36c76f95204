/** The key under which WebDriver sends elements: https://www.w3.org/TR/webdriver2/#elements */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A script whose page is replaced may never be answered; it is tried again. */
const COMMAND_MS = 20_000;

interface ElementReference {
  [ELEMENT]: string;
}

/** A session of the W3C WebDriver protocol. */
export class WebDriverSession {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** @param origin of the driver @throws when it refuses the capabilities */
  static async open(origin: string, capabilities: object): Promise<WebDriverSession> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = (await send(`${origin}/session`, 'POST', body)) as { sessionId: string };
    return new WebDriverSession(`${origin}/session/${sessionId}`);
  }

  /** Sends a command. @returns its value @throws with the driver's error */
  command(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    return send(`${this.#url}${path}`, method, body ?? (method === 'POST' ? {} : undefined));
  }

  /** Runs a function in the page. @returns its answer, or what its promise is settled with */
  async run(source: string, args: unknown[]): Promise<unknown> {
    const script = `return (${source})(...arguments);`;
    return this.command('POST', '/execute/sync', { script, args });
  }

  /** Returns the path of the element that a function in the page returns; null if it returns none. */
  async element(source: string, args: unknown[]): Promise<string | null> {
    const script = `return (${source})(...arguments);`;
    const found = (await this.command('POST', '/execute/sync', {
      script,
      args,
    })) as ElementReference | null;
    return found && `/element/${found[ELEMENT]}`;
  }

  readonly close = (): Promise<unknown> => this.command('DELETE', '');
}

/** Sends a request to a driver. @throws with the error that it answers */
export async function send(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(COMMAND_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) {
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${error}: ${message}`);
  }
  return value;
}
