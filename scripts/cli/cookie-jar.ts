/** A fetch that keeps cookies, for one origin: what a browser does, without its rules. */
export class CookieJar {
  readonly cookies = new Map<string, string>();

  /** For requests that are not made by `fetch`. */
  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
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

  /** Where an address leads; null when it leads nowhere else. */
  readonly locationOf = async (url: URL): Promise<string | null> =>
    (await this.fetch(url, { redirect: 'manual' })).headers.get('location');
}
