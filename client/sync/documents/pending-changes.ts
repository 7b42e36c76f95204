import {
  documentKinds,
  type ChangeInput,
  type ChangeName,
  type OwnKind,
} from '#shared/document-kinds.ts';

type Apply = (doc: unknown) => void;

interface NamedChange {
  input: { parse(input: unknown): unknown };
  apply(doc: unknown, input: unknown): void;
}

/** Named changes of documents, which wait for theirs to open, in their order. */
export class EarlyChanges {
  private readonly waiting: { kind: OwnKind; apply: Apply }[] = [];

  /**
   * @throws ZodError when the input does not fit
   * @throws when there is no such change
   */
  add<K extends OwnKind, N extends ChangeName<K>>(
    kind: K,
    name: N,
    input: ChangeInput<K, N>,
  ): void {
    const { changes } = documentKinds[kind];
    const change = (changes as Record<string, NamedChange | undefined>)[name];
    if (!change) throw new Error(`The ${kind} document has no change named ${name}`);
    const parsed = change.input.parse(input);
    this.waiting.push({ kind, apply: (doc) => change.apply(doc, parsed) });
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** @param opened gives what changes a document; null while it is not open */
  applyTo(opened: (kind: OwnKind) => ((apply: Apply) => void) | null): void {
    for (const each of this.waiting.splice(0)) {
      const change = opened(each.kind);
      if (change) change(each.apply);
      else this.waiting.push(each);
    }
  }
}
