/** Letters and digits that are not easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP = 4;
/** Bytes from here on would make some letters more frequent than others. */
const FAIR = 256 - (256 % ALPHABET.length);

function letter(): string {
  const byte = new Uint8Array(1);
  do crypto.getRandomValues(byte);
  while (byte[0]! >= FAIR);
  return ALPHABET[byte[0]! % ALPHABET.length]!;
}

/** Returns a code such as PAW-7K2M-QX9D-4TNB: short enough to type, with 58 random bits. */
export function newCode(): string {
  const group = () => Array.from({ length: GROUP }, letter).join('');
  return ['PAW', ...Array.from({ length: GROUPS }, group)].join('-');
}
