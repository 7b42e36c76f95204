/** A `fetch` that stores cookies, for one origin and without the rules of browsers. */
export class CookieJar {
  readonly cookies = new Map<string, string>();
  readonly #own: Record<string, string>;

  /** @param own headers that each request has */
  constructor(own: Record<string, string> = {}) {
    this.#own = own;
  }

  /** Returns the `Cookie` header, for other requests. */
  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.#own)) headers.set(name, value);
    if (this.header) headers.set('cookie', this.header);
    const response = await fetch(input, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', ...value] = pair.split('=');
      if (attributes.some((attribute) => attribute.trim().toLowerCase() === 'max-age=0'))
        this.cookies.delete(name);
      else this.cookies.set(name, value.join('='));
    }
    return response;
  };

  /** Requests a URL without following redirects. @returns its `Location` header, or null */
  readonly locationOf = async (url: URL): Promise<string | null> =>
    (await this.fetch(url, { redirect: 'manual' })).headers.get('location');
}
