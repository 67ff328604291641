const flagsOf = new Map([
  // An audit reads much that it forgets at once, and V8 would let its young generation grow to 128 MB.
  ['workflows/main.ts', ['--max-semi-space-size=8']],
]);

/**
 * The flags that Node starts a program with, which it could not set for itself any more.
 * @param file the program's file, from the project's folder: `workflows/main.ts`
 */
export const nodeFlags = (file: string): readonly string[] => flagsOf.get(file) ?? [];

/**
 * The environment that Node starts our programs with. The C library would give each thread an arena of its own, up to eight a
 * core, and what one thread gave back would be of no use to the others.
 */
export const nodeEnvironment = { MALLOC_ARENA_MAX: '2' } as const;
