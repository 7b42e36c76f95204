/** Returns the answer to a refused upgrade, which has no body. @param status such as `404 Not Found` */
export const refusal = (status: string): string =>
  `HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`;
