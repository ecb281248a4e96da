import { Component } from '@angular/core';
import { RouterOutlet } from '@angular/router';

@Component({ selector: 'site-root', imports: [RouterOutlet], template: '<router-outlet />' })
export class Root {}
