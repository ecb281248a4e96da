import type { DatabaseSync } from 'node:sqlite';
import type { Task } from 'clip-kit/contract';

/**
 * What the site stores about a person's video, because the service has no list of tasks
 * (specification, 4.14).
 */
export interface LibraryEntry {
  readonly taskId: string;
  readonly type: Task['type'];
  readonly outputType: Task['output_type'];
  readonly outputId: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

interface Row {
  task_id: string;
  type: Task['type'];
  output_type: Task['output_type'];
  output_id: string;
  name: string;
  created_at: string;
}

/** Each person's videos, newest first. */
export class Library {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(`
      CREATE TABLE IF NOT EXISTS library (
        task_id TEXT PRIMARY KEY, person TEXT NOT NULL, type TEXT NOT NULL, output_type TEXT NOT NULL,
        output_id TEXT NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL
      );
      CREATE INDEX IF NOT EXISTS library_person ON library (person, created_at);
    `);
  }

  add(person: string, task: Task, name: string): void {
    this.#database
      .prepare('INSERT INTO library VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(task.id, person, task.type, task.output_type, task.output_id, name, task.created_at);
  }

  of(person: string): LibraryEntry[] {
    const rows = this.#database
      .prepare('SELECT * FROM library WHERE person = ? ORDER BY created_at DESC, task_id')
      .all(person) as unknown as Row[];
    return rows.map((row) => ({
      taskId: row.task_id,
      type: row.type,
      outputType: row.output_type,
      outputId: row.output_id,
      name: row.name,
      createdAt: row.created_at,
    }));
  }
}
