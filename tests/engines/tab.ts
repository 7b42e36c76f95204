import { setTimeout as wait } from 'node:timers/promises';
import type { Driver, InPage, Script } from './engine.ts';
import { findElement, ROLES, type Target } from './find-element.ts';

/** How long an action waits for what it needs. Engines and servers share the cores. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

const script = <A extends unknown[], T>(run: InPage<A, T>, args: A): Script => ({
  source: run.toString(),
  args,
});

const finding = (target: Target, isTapped: boolean): Script =>
  script(findElement as InPage<[typeof ROLES, Target, boolean], unknown>, [
    ROLES,
    target,
    isTapped,
  ]);

/** A page of the product on a device, with what people do there. Each action waits until it is possible. */
export class Tab {
  readonly driver: Driver;
  readonly #origin: string;

  /** @param origin of the product */
  constructor(driver: Driver, origin: string) {
    this.driver = driver;
    this.#origin = origin;
  }

  /** Opens a path of the product, or a URL. */
  readonly goto = (path: string): Promise<void> =>
    this.driver.goto(new URL(path, this.#origin).href);

  readonly reload = (): Promise<void> => this.driver.reload();

  /** Runs a function in the page. */
  async evaluate<A extends unknown[], T>(run: InPage<A, T>, ...args: A): Promise<T> {
    return (await this.driver.run(script(run, args))) as T;
  }

  /** Waits until a function in the page returns something truthy, and returns it. */
  async until<A extends unknown[], T>(what: string, run: InPage<A, T>, ...args: A): Promise<T> {
    let last: unknown;
    await this.#retry(what, async () => Boolean((last = await this.evaluate(run, ...args))));
    return last as T;
  }

  /** Waits until this is on the screen. */
  see(target: Target): Promise<void> {
    const shown = finding(target, false);
    const source = `(...args) => (${shown.source})(...args) !== null`;
    return this.#retry(`see ${JSON.stringify(target)}`, async () =>
      Boolean(await this.driver.run({ ...shown, source })),
    );
  }

  /** Waits until this is no longer on the screen. */
  gone(target: Target): Promise<void> {
    const shown = finding(target, false);
    const source = `(...args) => (${shown.source})(...args) === null`;
    return this.#retry(`no longer see ${JSON.stringify(target)}`, async () =>
      Boolean(await this.driver.run({ ...shown, source })),
    );
  }

  /** Clicks it once it no longer moves: what loads above it would put something else under the pointer. */
  async tap(target: Target): Promise<void> {
    const shown = finding(target, true);
    const source = `(...args) => {
      const box = (${shown.source})(...args)?.getBoundingClientRect();
      return box ? [box.x, box.y, box.width, box.height].join() : null;
    }`;
    let before: unknown = null;
    await this.#retry(`tap ${JSON.stringify(target)}`, async () => {
      const place = await this.driver.run({ ...shown, source });
      const isStill = place !== null && place === before;
      before = place;
      return isStill && this.driver.click(shown);
    });
  }

  /** Replaces the text of a field. */
  type(label: string, text: string): Promise<void> {
    return this.#retry(`type into ${label}`, () =>
      this.driver.type(finding({ label }, true), text),
    );
  }

  /** Chooses a file for a field, which is often not on the screen: a button stands for it. */
  choose(label: string, path: string): Promise<void> {
    const field = script(
      (words: string) =>
        [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].find((each) =>
          [...(each.labels ?? []), each].some((named) =>
            `${named.textContent} ${named.getAttribute('aria-label')}`
              .toLowerCase()
              .includes(words),
          ),
        ) ?? null,
      [label],
    );
    return this.#retry(`choose ${label}`, () => this.driver.choose(field, path));
  }

  /** Waits until the path of the page is this one. */
  async at(path: string): Promise<void> {
    await this.until(`be at ${path}`, (wanted) => location.pathname === wanted, path);
  }

  /** Tries until it succeeds; a page that is just being replaced makes a try fail. */
  async #retry(what: string, attempt: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    let problem: unknown;
    while (Date.now() < deadline) {
      try {
        if (await attempt()) return;
        problem = undefined;
      } catch (error) {
        problem = error;
      }
      await wait(LOOK_EVERY_MS);
    }
    const [url, text] = await this.evaluate(() => [location.href, document.body.innerText]).catch(
      () => ['?', '?'],
    );
    throw new Error(`Couldn't ${what} at ${url}. The page says:\n${text}`, { cause: problem });
  }
}
