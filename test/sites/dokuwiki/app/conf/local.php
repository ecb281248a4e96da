<?php
// What the installer of the wiki writes.
$conf['title'] = 'Wiki';
$conf['license'] = '0';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
// Debian has another place.
$conf['savedir'] = './data';
